'use strict';
// The page on paper: the map as it is on the screen, and the lists of what is on it.

function preparePrinting(view) {
  const opened = [];
  window.addEventListener('beforeprint', () => {
    // The style of the paper is needed before it is printed: the map has to know its size.
    document.body.classList.add('paper');
    view.map.invalidateSize({ animate: false });
    document.querySelectorAll('#lists details:not([open])').forEach((list) => {
      if (!list.querySelector('input').checked) return;
      list.open = true;
      // The event of the browser comes when the paper is done.
      list.dispatchEvent(new Event('toggle'));
      opened.push(list);
    });
  });
  window.addEventListener('afterprint', () => {
    document.body.classList.remove('paper');
    opened.splice(0).forEach((list) => { list.open = false; });
    view.map.invalidateSize({ animate: false });
  });
}
