### Why a model does not answer and how to mend it, and which model answers. What a server says stands in straight double
### quotes, which the log leaves out.

## The connection

not-taken = The model server { $host } did not take a connection within { $seconds } s: check model.base_url and the network, or raise model.connect_seconds.
without-tls = The model server { $host } cannot be reached (it speaks no TLS there): write http:// in place of https://, or correct model.base_url.
behind-proxy = The model server { $host } cannot be reached ({ $why }): look at the proxy in model.proxy, or correct model.base_url.
unreachable = The model server { $host } cannot be reached ({ $why }): start it, or correct model.base_url.
request-impossible = The request to { $host } cannot be made ({ $why }): correct model.base_url, model.api_key or model.headers.
connection-broke = The connection to { $host } broke ({ $why }): look at the server or a proxy in between.
no-web-address = model.base_url is "{ $address }", which is no web address: write it like https://api.openai.com/v1.
address-with-query = model.base_url is "{ $address }": leave out everything from the ? or # on, for the path is added to it.
header-impossible = { $what } cannot be sent to { $host } in an HTTP header: it holds a line break or another character that is not allowed there; copy it again.
no-answer = { $host } did not answer within { $seconds } s: look at the server, or correct model.base_url.
redirected = { $host } sends requests on to another address ({ $said }): put the right one into model.base_url.

## Time

nothing-written = { $name } at { $host } wrote nothing for { $seconds } s: raise model.first_token_seconds if it is that slow, or look at the server.
fell-silent = { $name } at { $host } fell silent for { $seconds } s in the middle of its answer: look at the server, or raise model.idle_seconds.
not-done = { $name } at { $host } was not done after { $seconds } s: ask for less with model.max_tokens, or raise model.total_seconds.
left-alone = { $name } at { $host } failed lately and is left alone for { $seconds } s more.
asked-to-wait = { $name } at { $host } asked to be left alone for { $seconds } s more: wait, or raise the limit with the provider.
tried = { $message } Tried { $tries } times.

## Refusals

no-tool-calls = { $name } at { $host } takes no tool calls ({ $said }): set model.protocol to "xml".
key-wanted-there = { $host } wants a key ({ $said }): give the right one together with the address.
key-refused-there = { $host } refused the key ({ $said }): give the right one together with the address.
key-wanted = { $host } wants a key ({ $said }): set model.api_key_file or the variable { $variable }.
key-refused = { $host } refused the key ({ $said }): check model.api_key, model.api_key_file or the variable { $variable }.
model-not-pulled = Ollama at { $host } does not have the model { $name } ({ $said }): get it with: ollama pull { $name }
model-unknown = { $host } does not know the model { $name } or this address ({ $said }): check model.name, and that model.base_url ends as the server wants it, mostly in /v1.
slow-down-for = { $host } asks to slow down ({ $said }): wait { $seconds } s, or raise the limit with the provider.
slow-down = { $host } asks to slow down ({ $said }): wait, or raise the limit with the provider.
server-failed = { $host } failed ({ $said }): look at the server, or wait until the provider is well again.
request-refused = { $host } refused the request ({ $said }): hold [model] in the settings against what it allows.
account-spent = { $host } says the account is used up ({ $said }): top it up with the provider, or choose another model.
prompt-too-long = The prompt is larger than { $name } at { $host } can hold ({ $said }): lower model.context_tokens.
error-object = { $name } at { $host } ended with the error { $said }: look at the server, or hold [model] in the settings against what it allows.

## Answers that are none

web-page = { $host } answered with a web page ("{ $text }"): model.base_url must be the address of the API, mostly ending in /v1.
not-json = { $host } sent what is not JSON ("{ $text }"): check model.provider and model.base_url.
cut-off = The connection to { $host } ended before the answer did (no finish_reason, no end mark): look at the server or a proxy in between.
endless = { $name } at { $host } did not stop writing and was cut after { $bytes } bytes: set model.stop, or choose another model.
empty-answer = { $name } at { $host } answered with nothing (finish_reason: { $finish }): try again, or choose another model.
only-thoughts = { $name } at { $host } spent its whole answer on thinking: raise model.max_tokens, or let it think less.
filtered = The filter of { $host } ended the answer (finish_reason: { $finish }): choose another model, or change the filter with the provider.
filter-refused = The filter of { $host } refused the prompt ({ $said }): choose another model, or change the filter with the provider.
declined = { $name } at { $host } declined to answer ("{ $text }"): choose another model, or look at the persona.
no-vectors = { $name } at { $host } was asked for vectors and sent none that can be used ({ $why }): name an embedding model in roles.embedding.
stand-in-without-vectors = The stand-in makes no vectors.
no-vector-list = it holds no list of them
vectors-too-many = there are more of them than texts
vectors-too-few = there are fewer of them than texts
vector-no-numbers = one of them is no list of numbers
vectors-uneven = they are not of one size
no-embeddings = { $host } makes no vectors as OpenAI's /embeddings or Ollama's /api/embed do: name another model in roles.embedding.
no-summary-model = No model sums up: name one in roles.summary.
empty-summary = { $name } said nothing when it was to sum up.
summary-cut = The summary of { $name } broke off at { $tokens } tokens.
client-stopped = the model client stopped without a word; see the log

## Which model answers

looking-for-model = looking for a model…
model-none = Model: none.
model-stand-in = Model: none, the stand-in answers (a labelled demo, not a language model). Connect one in the page's "connect a model" panel, start Ollama, or set OPENAI_API_KEY and KITH_MODEL.
model-hosted = Model: { $name } at { $host } ({ $kind }, context { $tokens } tokens)
model-ollama = Model: { $name } at { $host } (Ollama, loaded with a context of { $tokens } tokens)
model-then = { $line }, then { $name } at { $host }
model-looked-for = Model: looking for one at { $place }; the log tells which answers.
nobody-offers = Nobody offers the model { $name }: no server is set and no Ollama listens at { $host }. Set model.base_url or OPENAI_API_KEY, or start Ollama.
no-chat-model = Ollama at { $host } has no local chat model: get one, for instance with: ollama pull qwen3:8b
offers-none = { $host } offers no model: load one there, or set model.name or KITH_MODEL.
offers-several = { $host } offers { $count } models: set model.name or KITH_MODEL to one ({ $names }).
offers-many = { $host } offers { $count } models: set model.name or KITH_MODEL to one ({ $names } and { $more } more).
nothing-configured = No model is configured and no Ollama runs on this machine: set model.base_url, model.name and the key.
no-native-calls = { $name } at { $host } takes no tool calls, and model.protocol is "native": choose another model, or "xml" for all.
search-failed = The search for a model failed inside; choose one in the page.
kith-stopping = kith is stopping
none-large-enough = No model that could be asked holds this prompt: name one with more context.

## The budget

budget-spent = The daily budget is spent.
daily-tokens-spent = The daily budget of { $cap } tokens is spent ({ $used } used, { $needed } needed): wait until midnight UTC, or raise budget.daily_tokens.
daily-money-spent = The daily budget of { $cap } in money is spent ({ $used } used, { $needed } needed): wait until midnight UTC, or raise budget.daily_cost.
share-mostly-spent = { $whose } is mostly spent: only direct address is answered.
share-of-tokens-spent = { $whose } of { $cap } tokens is spent ({ $used } used, { $needed } needed): wait until midnight UTC.
share-of-money-spent = { $whose } of { $cap } in money is spent ({ $used } used, { $needed } needed): wait until midnight UTC.
budget-of-channel = This channel's daily budget
budget-of-person = The daily budget for one person
budget-of-turns = The daily budget of turns
budget-of-pictures = The daily budget for looking at pictures
budget-of-tasks = The daily budget of tasks
budget-of-summaries = The daily budget for summing up
budget-of-memories = The daily budget for making memories
budget-of-judges = The daily budget for asking whether to speak
budget-of-vectors = The daily budget for making vectors
budget-of-tests = The daily budget of tests
