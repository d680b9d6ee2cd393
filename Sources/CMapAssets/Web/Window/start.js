'use strict';
// The last script of the window: what the others have added is shown now.

if (appWindow.isList) appWindow.build();
appWindow.follow();
