//! Small talk of friends, made up: lines of many forms about everyday things, in English and Chinese. Some of its words
//! stand in the facts of the tests, too.

/// A small generator of numbers that look random, the same every time.
fn mix(n: u64) -> u64 {
    let n = (n ^ (n >> 31)).wrapping_mul(0x7FB5_D329_728E_A185);
    let n = (n ^ (n >> 27)).wrapping_mul(0x81DA_DEF4_BC2D_D44D);
    n ^ (n >> 33)
}

/// How to talk small in one language.
pub struct SmallTalk {
    /// Forms of lines; `{thing}` and the like stand for any of the words below.
    forms: &'static [&'static str],
    words: &'static [(&'static str, &'static str)],
    /// Lines that are said once in a long while.
    seldom: &'static [&'static str],
}

/// One of the seldom lines is said in about so many.
const SELDOM: u64 = 700;

impl SmallTalk {
    /// The line of this number.
    pub fn line(&self, number: u64) -> String {
        let draw = mix(number + 1);
        if draw.is_multiple_of(SELDOM) {
            return self.seldom[(draw / SELDOM) as usize % self.seldom.len()].to_owned();
        }
        let mut line = self.forms[(draw >> 8) as usize % self.forms.len()].to_owned();
        let mut step = 0;
        while let Some((before, rest)) = line.clone().split_once('{')
            && let Some((slot, after)) = rest.split_once('}')
        {
            step += 1;
            let (_, words) = self.words.iter().find(|(name, _)| *name == slot).unwrap();
            // As people use words: some often, most seldom.
            let share = (mix(number * 31 + step) % 10_000) as f64 / 10_000.0;
            let words: Vec<&str> = words.split(", ").collect();
            let word = words[(share.powi(3) * words.len() as f64) as usize];
            line = format!("{before}{word}{after}");
        }
        line
    }
}

pub const ENGLISH: SmallTalk = SmallTalk {
    forms: &[
        "anyone up for {activity} {when}?",
        "the {thing} at {place} is {state} again",
        "{who} left a {thing} in my {spot}",
        "i had {food} for {meal} and i regret nothing",
        "why is {food} so expensive at {place}",
        "just saw {who} at {place} with a {state} {thing}",
        "{activity} {when} was {state}, never again",
        "can somebody bring a {thing} {when}",
        "my {relative} says {food} is better with {food}",
        "i need a new {thing}, mine is {state}",
        "is {place} open on {day}?",
        "{day} works for me, {day} does not",
        "the bus to {place} was late, so i walked",
        "lol {who} again",
        "ok i'm home, {meal} is {food}",
        "who has the {thing}? {who} wants it back",
        "my {relative} keeps sending me pictures of {food}",
        "{who} is asleep on the {spot}",
        "there's a {thing} on the {spot} and nobody knows why",
        "it's raining at {place}, bring a coat",
        "i watched that film about the {thing}, it was {state}",
        "has anybody tried {activity} near {place}?",
        "that {thing} was {state} even before {who} sat on it",
        "{when} then? i finish work at six",
        "my {relative} is visiting {when}, so no {activity}",
        "somebody parked in front of {place} all {day}",
        "the wifi is {state}, i'm typing this from the {spot}",
        "no {food} left, who ate it",
        "i'll be at {place} until {meal}",
        "{who} thinks {activity} is a sport",
        "found a {state} {thing} behind the {spot}",
        "the neighbours are doing {activity} at midnight",
        "good morning from the {spot}",
        "do we still need a {thing} for {day}?",
        "{food} or {food}? i can't decide",
        "my {relative} fixed the {thing} with tape",
        "we should do {activity} more often honestly",
        "i forgot my {thing} at {place}, typical",
        "so tired, {activity} took all {day}",
        "new week, same {state} {thing}",
    ],
    words: &[
        (
            "activity",
            "karaoke, bowling, climbing, board games, a walk, yoga, a quiz night, swimming, gardening, \
             football, painting, chess, a picnic, cycling, baking, darts, fishing, a barbecue, \
             volleyball, dancing, skating, poker, a movie night, running, shopping, badminton, \
             ice skating, minigolf, knitting, a concert",
        ),
        (
            "when",
            "tonight, tomorrow, on friday, on thursday, this weekend, next week, after work, at noon, \
             on sunday, later, in july, in october, before christmas, next month",
        ),
        (
            "thing",
            "lamp, blender, charger, bike, umbrella, printer, ladder, kettle, drill, tent, suitcase, \
             radio, mirror, curtain, toaster, bucket, keyboard, helmet, guitar, speaker, backpack, \
             thermos, puzzle, camera, chair, fan, heater, vase, rug, bookshelf, mattress, fridge, \
             scooter, stapler, projector, hammock, candle, notebook, jacket, sponge, screwdriver, plant, \
             clock, remote, stroller, map, test, speech",
        ),
        (
            "place",
            "the library, the gym, the harbour, the market, the office, the station, the pool, \
             the bakery, the park, the museum, the hospital, the cinema, the airport, the pharmacy, \
             the garage, the school, the river, the castle, the stadium, the supermarket, the bank, \
             the church, the campsite, the beach, the dentist, the doctor",
        ),
        (
            "food",
            "soup, noodles, pancakes, curry, salad, ramen, tacos, pizza, dumplings, porridge, pasta, \
             lentils, sushi, cheese, waffles, falafel, omelette, sauce, rice, chips, burritos, yoghurt, \
             strawberries, mushrooms, garlic bread, ice cream, coffee, toast, hummus, kimchi",
        ),
        ("meal", "breakfast, lunch, dinner, a snack, brunch"),
        (
            "who",
            "tom, ines, the landlady, my boss, the postman, marco, somebody, the kid next door",
        ),
        (
            "relative",
            "sister, brother, mother, uncle, cousin, dad, grandfather, aunt, flatmate, colleague",
        ),
        (
            "spot",
            "kitchen, sofa, balcony, hallway, car, garden, bathroom, stairs, desk, attic",
        ),
        (
            "state",
            "broken, closed, dirty, green, loud, huge, boring, brilliant, weird, empty, cold, wet, fine, \
             haunted, crooked, sticky, free, old, red, full",
        ),
        (
            "day",
            "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
        ),
    ],
    seldom: &[
        "there was an exam on in the hall, so we could not get in",
        "the pigeons here live on peanuts",
        "they close the bridge for the marathon every year",
        "the landlord of that pub is a character",
        "somebody in the street plays the cello badly",
        "norway won the curling, who knew",
    ],
};

pub const CHINESE: SmallTalk = SmallTalk {
    forms: &[
        "{when}有人去{activity}吗",
        "{place}的{thing}又{state}了",
        "{who}把{thing}忘在{spot}了",
        "{meal}吃了{food}，一点不后悔",
        "{place}的{food}怎么这么贵",
        "刚在{place}看到{who}了，拿着个{thing}",
        "{when}的{activity}太累了，再也不去了",
        "{when}谁能带个{thing}来",
        "我{relative}说{food}要配{food}",
        "得买个新{thing}了，旧的{state}了",
        "{place}{day}开门吗",
        "我{day}可以，{day}不行",
        "去{place}的公交又晚点，我走过去的",
        "哈哈{who}又来了",
        "到家了，{meal}是{food}",
        "{thing}在谁那，{who}要用",
        "我{relative}老给我发{food}的照片",
        "{who}在{spot}睡着了",
        "{spot}多了个{thing}，没人知道哪来的",
        "{place}那边下雨了，带件外套",
        "那部讲{thing}的片子真一般",
        "{place}附近有没有能{activity}的地方",
        "{thing}早就{state}了，不是{who}弄的",
        "那{when}吧，我六点下班",
        "我{relative}{when}来，{activity}就算了",
        "{place}门口被车堵了一整天",
        "网又{state}了，我在{spot}打的字",
        "{food}没了，谁吃的",
        "我在{place}待到{meal}",
        "{who}觉得{activity}也算运动",
        "{spot}后面翻出来一个{thing}，{state}了",
        "邻居半夜{activity}",
        "早，我在{spot}",
        "{day}还要带{thing}吗",
        "{food}还是{food}，选不出来",
        "我{relative}用胶带把{thing}修好了",
        "以后多{activity}几次吧",
        "{thing}落在{place}了，我真行",
        "好累，{activity}搞了一整天",
        "新的一周，还是那个{state}的{thing}",
    ],
    words: &[
        (
            "activity",
            "唱歌, 打保龄, 攀岩, 桌游, 散步, 瑜伽, 猜谜, 游泳, 种菜, 踢球, 画画, 下棋, 野餐, 骑车, 烘焙, \
             飞镖, 钓鱼, 烧烤, 打排球, 跳舞, 滑冰, 打牌, 看电影, 跑步, 逛街, 打羽毛球, 织毛衣, 看演出, \
             露营, 划船",
        ),
        (
            "when",
            "今晚, 明天, 周五, 周四, 这周末, 下周, 下班后, 中午, 周日, 晚点, 七月, 十月, 过年前, 下个月",
        ),
        (
            "thing",
            "台灯, 榨汁机, 充电器, 单车, 雨伞, 打印机, 梯子, 水壶, 电钻, 帐篷, 行李箱, 收音机, 镜子, \
             窗帘, 面包机, 水桶, 键盘, 头盔, 吉他, 音箱, 背包, 保温杯, 拼图, 相机, 椅子, 风扇, 暖气, \
             花瓶, 地毯, 书架, 床垫, 冰箱, 滑板车, 订书机, 投影仪, 吊床, 蜡烛, 笔记本, 外套, 海绵, \
             螺丝刀, 盆栽, 闹钟, 遥控器, 婴儿车, 地图, 驾驶证, 稿子",
        ),
        (
            "place",
            "图书馆, 健身房, 码头, 菜市场, 办公室, 火车站, 泳池, 面包店, 公园, 博物馆, 医院, 电影院, \
             机场, 药店, 修车店, 学校, 河边, 城墙, 体育场, 超市, 银行, 教堂, 营地, 海边, 牙医那, 诊所",
        ),
        (
            "food",
            "汤面, 米粉, 煎饼, 咖喱, 沙拉, 拉面, 卷饼, 披萨, 饺子, 粥, 意面, 豆腐, 寿司, 奶酪, 华夫饼, \
             肉夹馍, 蛋卷, 酱, 米饭, 薯条, 麻辣烫, 酸奶, 草莓, 蘑菇, 蒜蓉面包, 冰淇淋, 咖啡, 吐司, 火锅, \
             泡菜",
        ),
        ("meal", "早饭, 午饭, 晚饭, 夜宵, 下午茶"),
        (
            "who",
            "阿强, 小梅, 包租婆, 我老板, 快递员, 马哥, 不知道谁, 隔壁小孩",
        ),
        (
            "relative",
            "姐, 弟, 妈, 叔, 表哥, 爸, 爷爷, 姑姑, 室友, 同事",
        ),
        (
            "spot",
            "厨房, 沙发, 阳台, 走廊, 车里, 花园, 浴室, 楼梯, 桌上, 阁楼",
        ),
        (
            "state",
            "坏, 关门, 脏, 发绿, 吵, 超大, 无聊, 绝, 怪, 空, 冰, 湿, 正常, 闹鬼, 歪, 粘, 免费, 旧, 变红, \
             满",
        ),
        ("day", "周一, 周二, 周三, 周四, 周五, 周六, 周日"),
    ],
    seldom: &[
        "礼堂里在考试，我们没进去",
        "这边的鸽子天天吃花生",
        "每年跑马拉松都要封桥",
        "那家馆子的房东脾气真大",
        "楼下有人拉大提琴，拉得真难听",
        "挪威队又赢了冰壶",
    ],
};
