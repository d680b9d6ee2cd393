'use strict';
// What is said of a way that was planned.

const PlanWords = {
  /** A part of a way, by what it is. */
  part({ kind, distance }) {
    const length = Words.distance(distance);
    switch (kind) {
      case 'path': return t`${length} on paths`;
      case 'track': return t`${length} on tracks`;
      case 'steps': return t`${length} on steps`;
      case 'footway': return t`${length} on footways`;
      case 'bridleway': return t`${length} on bridleways`;
      case 'cycleway': return t`${length} on cycleways`;
      case 'viaFerrata': return t`${length} on via ferratas`;
      case 'road': return t`${length} on roads`;
      case 'ferry': return t`${length} by ferry`;
      default: return t`${length} on other ways`;
    }
  },

  /** A grade of the Swiss Alpine Club. */
  scale(name) {
    switch (name) {
      case 'hiking': return t('T1, hiking');
      case 'mountain_hiking': return t('T2, mountain hiking');
      case 'demanding_mountain_hiking': return t('T3, demanding mountain hiking');
      case 'alpine_hiking': return t('T4, alpine hiking');
      case 'demanding_alpine_hiking': return t('T5, demanding alpine hiking');
      case 'difficult_alpine_hiking': return t('T6, difficult alpine hiking');
      default: return '';
    }
  },

  /** How well a path can be seen. */
  visibility(name) {
    switch (name) {
      case 'excellent': return t('the path is clearly visible everywhere');
      case 'good': return t('the path is visible');
      case 'intermediate': return t('the path is visible mostly');
      case 'bad': return t('the path is hard to see');
      case 'horrible': return t('the path can hardly be seen');
      case 'no': return t('no path can be seen');
      default: return '';
    }
  },

  /** The hardest part of a way; an empty text if it is not known. */
  hardest({ hardest }) {
    if (!hardest) return '';
    const grade = [PlanWords.scale(hardest.sacScale), PlanWords.visibility(hardest.visibility)].filter(Boolean).join('; ');
    const distance = Words.distance(hardest.distance);
    return grade ? t`Hardest part, ${distance}: ${grade}` : '';
  },

  /** The figures of a way. */
  facts(way) {
    if (way.isStraight) return [Words.distance(way.distance)];
    return Words.line({ ...way, kind: 'planned' });
  },

  /** The figures that fit into the bar on the map. */
  brief(way) {
    if (way.isStraight) return `${Words.distance(way.distance)} · ${t('straight lines')}`;
    return Words.facts([Words.distance(way.distance), t`about ${Words.duration(way.duration)}`]);
  },

  /** Why there is no way; an empty text if there is one. */
  problem({ problem, refusal }) {
    if (refusal) return refusal;
    if (!problem) return '';
    const distance = Words.distance(problem.distance);
    const place = problem.place + 1;
    if (problem.kind === 'tooFar') {
      return Number.isFinite(problem.distance)
        ? t`Place ${place} is too far from all ways of the routing data: the nearest is ${distance} away.`
        : t`Place ${place} is too far from all ways of the routing data.`;
    }
    const next = place + 1;
    if (problem.distance < 1) return t`No way leads from place ${place} to place ${next}: the ways there are one-way.`;
    const position = Words.degrees({ lat: problem.reached[0], lng: problem.reached[1] });
    return t`No way leads from place ${place} to place ${next}. The ways end ${distance} before it, at ${position}.`;
  },
};
