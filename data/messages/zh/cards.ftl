### `kith persona import` 对角色卡和世界书的说明，以及它写进人设里的几个词。

# 文件有什么问题。
card-too-large = 文件超过 { $limit } MiB；请先去掉里面的图片和声音
card-json-too-large = 文件里解压出来的内容超过 { $limit } MiB；没有这么大的角色卡
no-card-file = 这既不是角色卡也不是世界书：角色卡是 PNG 图片、CHARX 压缩包或 JSON，世界书是 JSON
no-card-in-picture = 这张图片里没有角色卡；网站压缩或转换图片时会丢掉它，请下载原图
no-card-in-archive = 这个压缩包里没有 card.json
broken-card-picture = 图片已损坏：其中一段声称的长度超出了文件，或者无法解压
broken-card-archive = 压缩包已损坏，或者比任何角色卡都大
strange-card-archive = 压缩包加了密，或者压缩方式不常见；请用原来的程序重新保存
broken-card-json = 角色卡已损坏，或者嵌套得太深：{ $error }
broken-card-base64 = 图片里的角色卡已损坏：不是 base64
no-card-name = 角色卡没有名字
too-many-lore-entries = 世界书有 { $found } 条，最多 { $most } 条；请拆开

# 写进人设的话。
other-person = 对方
bare-identity = 你是{ $name }。
more-background = { $name }的更多背景
imported-from = 由 `kith persona import` 从角色卡{ $version }导入，随便改。
imported-creator = 作者：{ $creator }。
imported-notes = 作者的说明：
imported-lore = 由 `kith persona import` 导入的设定。聊天里出现某条的关键词时，它才进入提示词。

# 没能原样保留的。
note-name-shortened = 名字缩短到了 32 个字符。
note-macros = 占位符从不填值，所以去掉了这些：{ $macros }。
note-text-long = 描述有 { $characters } 个字符，超过了每次提示词能放的。余下的成了一条始终考虑的设定；请精简。
note-text-cut = 有一段文字在 { $characters } 个字符处截断了。
note-examples = { $count ->
   *[other] 有 { $count } 行对话示例没有保留：不是角色自己说的，或者比一条聊天消息长。
}
note-greetings = 开场白不会被说出来：Kith 从不替人开场。其中短的口头台词放进了示例。
note-scenario = 场景写在了 `background` 的末尾。
note-instructions = 给模型的指令（`{ $field }`）没有保留：Kith 怎么工作，写在它自己的提示词里。
note-creator-notes = 作者的说明以注释写在文件里，只给你看。
note-tags = 标签没有保留：它们用来给卡片分类，不是它爱聊的话题。
note-depth-prompt = 别的程序插在聊天中间的角色备注，成了一条始终在场的设定。
note-scripts = 角色卡的脚本（`{ $field }`）没有保留：卡里的任何东西都不会被运行。
note-extensions = 别的程序的设置没有保留：{ $names }。
note-linked-world = 这张卡配有世界书“{ $name }”，那是另一个文件：请用 --into 导入。
note-assets = { $count ->
   *[other] 还有 { $count } 个图片或声音没有保留。
}
note-picture = 图片没有保留：它不是 8 MiB、边长 8192 像素以内的 PNG、JPEG 或 GIF，或者在别的服务器上。
note-lore-positions = 条目在提示词里的位置没有保留：所有设定都在同一处。
note-lore-timing = { $count ->
   *[other] 有 { $count } 条在别的程序里会持续、冷却或延迟几条消息；这里只看关键词。
}
note-lore-groups = { $count ->
   *[other] 有 { $count } 条属于别的程序里的互斥组（组内只选一条）；这里各自独立。
}
note-lore-filters = { $count ->
   *[other] 有 { $count } 条原本只给某些角色；这里谁有这个文件就给谁。
}
note-lore-decorators = 条目里的指令行没有保留：{ $names }。
note-lore-keys = 这些关键词无法查找：{ $keys }。
note-lore-without-keys = { $count ->
   *[other] 有 { $count } 条没有可查找的关键词，已停用（`enabled = false`）。
}
note-lore-empty = { $count ->
   *[other] 有 { $count } 条没有内容，没有保留。
}
note-lore-budget = 世界书自带的预算没有保留：所有设定都按 kith.toml 的 `context.lore_tokens`。

# 命令说的话。
card-written = 已写入：{ $file }
card-file-exists = { $file } 已存在；请把它移走，或用 --out 指定另一个文件夹
card-world-needs-persona = 这是世界书：请用 --into 说明它属于哪个人设文件
card-into-is-for-worlds = 这是角色卡，不是世界书：请去掉 --into
card-not-kept = 没能原样保留的：
card-hears = 叫 { $names } 它会听见；别的叫法请加进 `aliases`。
card-use-it = 试试：kith --persona { $file }
