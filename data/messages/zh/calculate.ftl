### calculate 工具为什么算不出结果，说给模型看。

expression-too-long = 算式超过 { $most } 字节，请拆开算
no-exchange-rates = 这里不知道汇率
not-understood = 看不懂 `{ $rest }`
not-calculated = 这个算不了：{ $why }
result-too-large = 结果太大
takes-one-value = `{ $name }` 接受的数没有这么多
