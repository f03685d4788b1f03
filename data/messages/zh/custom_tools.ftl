### 主机自己的工具运行之后的说明，给模型看。

nothing-printed = 已完成，没有输出
not-kept = 没有存下：{ $why }
address-too-long = 参数让网址太长了
# Leaves out: $error
address-unusable = 这个网址用不了
another-server = 参数会把请求引到别的服务器
path-leaves = 网址里的参数含有 `..`，请去掉
no-header-name = `{ $name }` 不能当请求头的名字
header-not-allowed = 请求头 `{ $name }`：参数含有换行或其他不允许的字符
body-too-long = 参数让请求内容太长了
# Leaves out: $error
no-json-value = 有个值写不成 JSON
no-secret = 没有机密 `{ $name }`
answer-too-large = { $host } 返回的超过 { $most } KB，没有读
answer-no-json = { $host } 返回的不是 JSON：{ $said }
answer-without-path = { $host } 的回应里没有 { $path }
# Leaves out: $problem
answer-unexpected = { $host } 的回应和预期的不一样
done = 完成
picture = 图片
sound = 音频
server-no-tool = { $tool } 是服务器，不是工具
# Leaves out: $error
result-unreadable = { $name }：结果读不出来
more-rows = [已截断：还有更多行]
no-rows = 没有找到
hook-refused = 主人让 { $hook } 先检查，它没有放行：{ $why }
hook-failed = 主人让 { $hook } 先检查，但它出错了，所以先扣下
secret-in-approval = 请求批准的内容里有机密
printed-broken-json = { $name } 输出的 JSON 无法读取：{ $why }
cannot-run = { $name } 无法运行：{ $error }
program-failed = { $name } 失败了（{ $code }）{ $why }
printed-too-much = { $name } 输出超过 { $most } KiB，已停止
# Leaves out: $error
address-parameter-empty = 网址里的参数是空的
# Leaves out: $error
template-unfilled = 用这些参数填不出来
# Leaves out: $status
answered-with-status = { $host } 返回 { $code }：{ $said }
server-asks-person = { $server } 需要有人补充信息，这里给不了，请换别的办法
server-error = { $server }：{ $why }
server-went-away = { $server } 在执行时断开了，不确定有没有做完
server-answered-wrong = { $server } 的回应不符合协议
server-not-there = { $server } 现在连不上，稍后会自动重试
resources-of = { $server } 可供读取的内容：不写 uri 是列表，写 uri 读一项。
asked-too-often = 一次运行最多问 { $most } 次
question-not-understood = 要问的须是 {"{"}"sql": "…", "params": {"{…}}"} 或 {"{"}"lines": 20{"}"}
