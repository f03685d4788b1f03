### 告诉模型它的回答里哪些读不懂。$name 是工具名，或写成工具的元素名。

unknown-tool = 这里没有“{ $name }”，没有执行
broken-off-action = 回答在一个动作里断了，没有执行
broken-off-arguments = 回答在 { $name } 的参数里断了，没有执行
broken-off-element = 回答在 <{ $name }> 里断了，没有执行
no-json-arguments = { $name } 的参数不是 JSON 对象，没有执行
nameless-call = 没有名字的工具调用没有执行
nameless-element = <{ $name }> 没有写明工具，没有执行
nameless-action = 没有 "name" 和 "params" 的动作没有执行
second-list = 写了不止一份动作列表，只执行了第一份
no-json-object = 没能当作所要的 JSON 对象读懂
call-as-text = 写成文字的工具调用不会执行；请直接调用工具
no-turn = 没能当作一个 <turn> 和其中的元素读懂
placeholder = { $name } 里该写内容的地方只写了占位的字样，没有执行
