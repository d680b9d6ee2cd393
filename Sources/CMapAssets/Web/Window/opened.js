'use strict';
// Files that the program was started with. Their paths come in the address of the page, which has them only until they are read.

/** Takes the paths of the files from the address; an empty list if there are none. */
appWindow.takeOpened = () => {
  const { hash, pathname, search } = window.location;
  if (!hash.startsWith('#add=')) return [];
  // Reload and the history do not add them again.
  window.history.replaceState(null, '', pathname + search);
  return new URLSearchParams(hash.slice(1)).getAll('add');
};

/** Gives the files to the program, which asks before it reads anything. */
appWindow.addOpened = () => {
  const paths = appWindow.takeOpened();
  if (paths.length) appWindow.act('add', { paths });
};

// The parts of the window are there then.
document.addEventListener('DOMContentLoaded', appWindow.addOpened);
// A browser may show the next files on the page that is open.
window.addEventListener('hashchange', appWindow.addOpened);
