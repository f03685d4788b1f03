### 一次调用的参数错在哪里，给模型看。

unknown-parameter = 没有参数 `{ $name }`，已忽略
wrong-type = 参数 `{ $name }` 必须是{ $wanted }，不能是{ $shown }
missing = 缺少参数 `{ $name }`：要给{ $wanted }
missing-among = 缺少参数 `{ $name }`：要给{ $wanted }（没有参数 { $strangers }）
text = 文字
number = 数字
whole-number = 整数
boolean = {" "}true 或 false
list-of = {" "}JSON 列表，每项是{ $each }
list = {" "}JSON 列表
object = {" "}JSON 对象
ignored-problem = { $problem }，已略去
one-of = { $choices }之一
object-of = 含 { $names } 的对象
given-text = 文字 "{ $text }"
given-list = 列表 { $list }
given-object = 对象 { $object }
