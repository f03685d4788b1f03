### 网页或搜索为什么没有结果，给模型看。

# Leaves out: $error
no-web-address = 参数 `url` 不是网址
no-text-without-scripts = [不运行脚本就没有文字]
no-search = 这里没有配置搜索，别用它了
query-empty = 参数 `query` 是空的：请写要搜的词
search-failed = 搜索失败：{ $why }
no-json-search = 搜索失败：返回的不是 JSON；SearXNG 要在 settings.yml 的 search.formats 里写上 json
nothing-found = 没有找到，可以换个词试试
search-misconfigured = 搜索没有配置好，别用它了
# Leaves out: $status
answered-with-status = 服务器返回 { $code }：{ $said }
nothing-from-there = [没有内容，一共 { $total } 个字]
characters = [第 { $from } 到 { $to } 个字，共 { $total } 个]
characters-go-on = [第 { $from } 到 { $to } 个字，共 { $total } 个；从 { $to } 接着读]
characters-of-longer-page = [第 { $from } 到 { $to } 个字，共 { $total } 个，网页更长，后面没有读]
characters-of-longer-page-go-on = [第 { $from } 到 { $to } 个字，共 { $total } 个，网页更长，后面没有读；从 { $to } 接着读]
# Leaves out: $status
search-answered-with-status = 搜索失败：服务器返回 { $code }
# Leaves out: $why
no-url = 这不是网址
wrong-scheme = 只能读 http 和 https 的网址，不能读 { $scheme }:
user-name-in-address = 网址里不能带用户名，请去掉 @ 和它前面的部分
# Leaves out: $why
host-refused = { $host } 不是公开的地址，只能读公开的
too-many-redirects = 跳转超过 { $most } 次
redirects-elsewhere = 它跳转到另一台服务器 { $host }，不能跟过去
# Leaves out: $why
unreachable = 连不上 { $host }
# Leaves out: $why
broken-answer = { $host } 没有正常回应
too-slow = 超过 { $seconds } 秒，已放弃
packed-answer = 返回的内容是 { $encoding } 压缩的，读不了
not-text = 它是 { $kind }，只能读文字
