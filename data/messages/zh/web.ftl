no-web-address = { $error ->
       *[hidden] 参数 `url` 不是网址
    }
no-text-without-scripts = [不运行脚本就没有文字]
no-search = 这里没有配置搜索，别用它了
query-empty = 参数 `query` 是空的：请写要搜的词
search-failed = 搜索失败：{ $why }
no-json-search = 搜索失败：返回的不是 JSON（SearXNG 要允许 json 格式）
nothing-found = 没有找到，可以换个词试试
search-misconfigured = 搜索没有配置好，别用它了
