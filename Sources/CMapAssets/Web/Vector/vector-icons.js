'use strict';
// The signs of the vector map, drawn when they are needed.

/** The shapes of the signs, in a square of 16: `color` names a colour of the theme, `points` are the corners. */
const signs = {
  peak: [{ color: 'sign', points: [8, 2, 15, 14, 1, 14] }],
  saddle: [{ color: 'sign', points: [1, 4, 8, 10, 15, 4, 15, 7.5, 8, 13.5, 1, 7.5] }],
  hut: [{ color: 'hut', points: [8, 1, 15.5, 8, 13, 8, 13, 15, 9.7, 15, 9.7, 10, 6.3, 10, 6.3, 15, 3, 15, 3, 8, 0.5, 8] }],
  shelter: [{ color: 'hut', points: [8, 2, 15.5, 8, 13, 8, 13, 14, 11, 14, 11, 8, 5, 8, 5, 14, 3, 14, 3, 8, 0.5, 8] }],
  spring: [{
    color: 'waterText', points: [8, 1, 11.5, 6.5, 12.7, 9.5, 12, 12.5, 10, 14.4, 8, 15, 6, 14.4, 4, 12.5, 3.3, 9.5, 4.5, 6.5],
  }],
  camp: [{ color: 'camp', points: [8, 2, 15.5, 14, 10.5, 14, 8, 9.5, 5.5, 14, 0.5, 14] }],
  view: [
    { color: 'sign', points: [8, 1, 9.6, 6.4, 15, 8, 9.6, 9.6, 8, 15, 6.4, 9.6, 1, 8, 6.4, 6.4] },
  ],
  parking: [
    { color: 'parking', points: [2, 2, 14, 2, 14, 14, 2, 14] },
    { color: 'halo', points: [5, 4, 9.5, 4, 11.5, 5.5, 11.5, 8, 9.5, 9.5, 7, 9.5, 7, 12.5, 5, 12.5] },
    { color: 'parking', points: [7, 5.8, 9, 5.8, 9.7, 6.3, 9.7, 7.3, 9, 7.8, 7, 7.8] },
  ],
};

/** The number of pixels of a sign for each pixel of the page. */
const signScale = 2;

/** Draws the sign with a name such as `hut`; null if there is none. */
function drawSign(name, colors) {
  if (!Object.hasOwn(signs, name)) return null;
  const [margin, length] = [2, 20 * signScale];
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [length, length];
  const context = canvas.getContext('2d');
  context.scale(signScale, signScale);
  context.translate(margin, margin);
  context.lineJoin = 'round';
  signs[name].forEach(({ color, points }, index) => {
    context.beginPath();
    for (let each = 0; each < points.length; each += 2) context.lineTo(points[each], points[each + 1]);
    context.closePath();
    if (index === 0) {
      context.strokeStyle = colors.halo;
      context.lineWidth = 3;
      context.stroke();
    }
    context.fillStyle = colors[color];
    context.fill();
  });
  return context.getImageData(0, 0, length, length);
}
