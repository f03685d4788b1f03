nothing-printed = 已完成，没有输出
not-kept = 没有存下：{ $why }
address-too-long = 参数让网址太长了
address-unusable = { $error ->
       *[hidden] 这个网址用不了
    }
another-server = 参数会把请求引到别的服务器
path-leaves = 网址里的参数含有 `..`，请去掉
no-header-name = `{ $name }` 不能当请求头的名字
header-not-allowed = 请求头 `{ $name }`：参数含有换行或其他不允许的字符
body-too-long = 参数让请求内容太长了
no-json-value = { $error ->
       *[hidden] 有个值写不成 JSON
    }
no-secret = 没有机密 `{ $name }`
answer-too-large = { $host } 返回的超过 { $most } KB，没有读
answer-no-json = { $host } 返回的不是 JSON：{ $said }
answer-without-path = { $host } 的回应里没有 { $path }
answer-unexpected = { $problem ->
       *[hidden] { $host } 的回应和预期的不一样
    }
done = 完成
picture = 图片
sound = 音频
server-no-tool = { $tool } 是服务器，不是工具
result-unreadable = { $error ->
       *[hidden] { $name }：结果读不出来
    }
more-rows = [已截断：还有更多行]
no-rows = 没有找到
secret-in-approval = 请求批准的内容里有机密
