no-web-address = parameter `url` is no web address: { $error }
no-text-without-scripts = [no text without scripts]
no-search = no search is configured here; do without it
query-empty = parameter `query` is empty: give words to search for
search-failed = the search failed: { $why }
no-json-search = the search failed: its answer is no JSON; a SearXNG has to allow the format json
nothing-found = nothing found; other words may help
search-misconfigured = the search is not configured rightly; do without it
