// A browser does not let a page that was opened as a file read other files: results of the search come without excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
