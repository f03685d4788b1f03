### Why a page or a search gave nothing, for the model.

no-web-address = parameter `url` is no web address: { $error }
no-text-without-scripts = [no text without scripts]
no-search = no search is configured here; do without it
query-empty = parameter `query` is empty: give words to search for
search-failed = the search failed: { $why }
no-json-search = the search failed: it gives no JSON; a SearXNG needs json under search.formats in its settings.yml
nothing-found = nothing found; other words may help
search-misconfigured = the search is not configured rightly; do without it
# Leaves out: $code
answered-with-status = the server answered { $status }: { $said }
nothing-from-there = [nothing there; there are { $total } characters]
characters = [characters { $from } to { $to } of { $total }]
characters-go-on = [characters { $from } to { $to } of { $total }; go on from { $to }]
characters-of-longer-page = [characters { $from } to { $to } of { $total }, and the page is longer than is read]
characters-of-longer-page-go-on = [characters { $from } to { $to } of { $total }, and the page is longer than is read; go on from { $to }]
# Leaves out: $code
search-answered-with-status = the search failed: it answered { $status }
no-url = that is no web address: { $why }
wrong-scheme = only http and https addresses are fetched, not { $scheme }:
user-name-in-address = an address with a user name in it is not fetched; leave out what stands before the @
# Leaves out: $host
host-refused = { $why }
too-many-redirects = it redirects more than { $most } times
redirects-elsewhere = it redirects to another server, { $host }, and may not be followed there
unreachable = { $host } cannot be reached: { $why }
broken-answer = { $host } gave no proper answer: { $why }
too-slow = it took longer than { $seconds } s and was given up
packed-answer = the answer is packed as { $encoding }, although it was asked for plain
not-text = it is { $kind }, and only text is read
