### calculate 工具为什么算不出结果，说给模型看。

expression-too-long = 算式超过 { $most } 字节，请拆开算
no-exchange-rates = 这里不知道汇率
value-missing = 末尾缺一个数
parenthesis-missing = `{ $rest }` 前面缺一个 `)`
unknown-word = `{ $word }` 既不是这里认识的单位，也不是函数
sign-missing = 两个数之间缺运算符
nested-too-deep = 嵌套超过 { $most } 层，请拆开算
not-understood = 看不懂 `{ $rest }`
number-too-large = 数字太大
no-real-number = 结果不是实数
result-too-large = 结果太大
division-by-zero = 不能除以零
takes-no-unit = { $what } 只接受不带单位的数
takes-whole-numbers = { $what } 只接受整数
units-not-added = 这些单位不能相加
units-without-rest = 这些单位不能求余
factorial-limits = 阶乘只能算 0 到 { $most }
units-differ = 这些单位量的不是同一种东西
unknown-unit-power = 这里不认识单位的这种乘方
takes-one-value = `{ $name }` 只接受一个数
units-not-compared = 这些单位不能比较
