//! Facts that members tell about themselves, each with a line that brings it up much later in other words of the same
//! family. The numbers of recall were chosen with the first sets; the second were looked at when that was done. The fresh
//! ones were written before they were asked for the first time, and no number was changed because of them.

/// Who tells it, what they tell, and what somebody says later.
pub type Fact = (&'static str, &'static str, &'static str);

pub const ENGLISH: [Fact; 12] = [
    (
        "Anna",
        "my exam is on thursday, organic chemistry, i'm dying",
        "how are the exams going, anna?",
    ),
    (
        "Ben",
        "just so you know, i'm allergic to peanuts",
        "does the satay sauce have peanut in it?",
    ),
    (
        "Chloe",
        "we're moving to lisbon in october",
        "is lisbon hot in the autumn?",
    ),
    (
        "Dev",
        "my sister is getting married, i have to hold the toast at the wedding",
        "any tips for toasts at weddings?",
    ),
    (
        "Emma",
        "i adopted a greyhound, she's called biscuit",
        "do greyhounds need long walks",
    ),
    (
        "Finn",
        "i quit smoking three weeks ago",
        "anyone got a lighter? i need a smoke",
    ),
    (
        "Gita",
        "i play the cello in an orchestra now",
        "two cellos and an orchestra in the street, what a band",
    ),
    (
        "Hugo",
        "my grandmother broke her hip, i'm there every day",
        "how long do hips take to heal?",
    ),
    (
        "Anna",
        "i can't stand cilantro, it tastes like soap",
        "tacos with extra cilantro tonight!",
    ),
    (
        "Ben",
        "i'm training for the marathon in berlin",
        "ben, who runs marathons for fun",
    ),
    (
        "Chloe",
        "i hate flights, i cried on the last one",
        "are the flights cheaper on tuesdays?",
    ),
    (
        "Dev",
        "our landlord wants to sell, we have to be out by may",
        "dev, landlords in this city are something else",
    ),
];

pub const ENGLISH_HELD: [Fact; 12] = [
    (
        "Anna",
        "my driving licence test is next tuesday, third attempt",
        "who needed the most attempts for their licence?",
    ),
    (
        "Ben",
        "no lactose for me, doctor's orders",
        "is this ice cream lactose free?",
    ),
    (
        "Chloe",
        "got the job at the aquarium, i start in march",
        "have you been to the aquarium with the sharks?",
    ),
    (
        "Dev",
        "my twin is in norway until christmas",
        "does anyone know people in norway? dev?",
    ),
    (
        "Emma",
        "the puppy swallowed a rubber band, vet at nine",
        "why are vets so expensive",
    ),
    (
        "Finn",
        "i'm learning sign language for my niece",
        "look what my niece drew",
    ),
    (
        "Gita",
        "i gave up coffee, it's matcha now",
        "the corner place sells matcha too",
    ),
    (
        "Hugo",
        "knee surgery went fine, crutches for a month",
        "how do you carry a tray on crutches",
    ),
    (
        "Anna",
        "i'm colourblind, red and green look alike to me",
        "can colourblind people read that map?",
    ),
    (
        "Ben",
        "i was born in iceland actually, near akureyri",
        "iceland for forty euros, who's in",
    ),
    (
        "Chloe",
        "my thesis is due on the ninth",
        "does anyone dress up for a thesis defence?",
    ),
    (
        "Dev",
        "i collect old typewriters, got a seventh one",
        "found a typewriter in the attic",
    ),
];

pub const CHINESE: [Fact; 12] = [
    ("小雨", "我周四考试，高数，要挂了", "小雨考试考完了吗"),
    ("老周", "先说一声，我对花生过敏", "这个酱里有没有花生啊"),
    ("小丹", "我们十月要搬去成都了", "成都那边热不热"),
    ("阿豪", "我妹要结婚了，我得上台致辞", "致辞一般说几分钟"),
    ("小林", "我领养了一只灰狗，叫饼干", "灰狗要不要天天遛"),
    ("大伟", "我戒烟第三周了", "戒烟是不是特别难受"),
    ("小美", "我现在在乐团拉大提琴", "街上有乐团在演，两把大提琴"),
    ("老K", "我奶奶摔断了髋骨，天天要人陪", "髋骨骨折要养多久"),
    ("小雨", "我受不了香菜，一股肥皂味", "蘸料放不放香菜"),
    (
        "老周",
        "我在练马拉松，十二月跑厦门",
        "老周，跑马拉松到底图什么",
    ),
    ("小丹", "我怕坐飞机，上次在上面哭了", "飞机票又涨了"),
    (
        "阿豪",
        "房东要卖房，我们五月前得走",
        "阿豪，你们那的房东都怎么样",
    ),
];

pub const CHINESE_HELD: [Fact; 12] = [
    ("小雨", "我下周二考驾照，第三次了", "驾照科目三难不难"),
    ("老周", "医生说我乳糖不耐，奶别给我", "这个冰淇淋乳糖高吗"),
    ("小丹", "我拿到海洋馆的工作了，三月去", "海洋馆周末人多吗"),
    (
        "阿豪",
        "我双胞胎弟弟在挪威，圣诞才回来",
        "阿豪，挪威的极光好看吗",
    ),
    ("小林", "我家狗吞了根皮筋，九点去兽医那", "兽医怎么这么贵"),
    ("大伟", "我在学手语，因为外甥女听不见", "手语老师教得怎么样"),
    ("小美", "我不喝咖啡了，现在喝抹茶", "那家店的抹茶不错"),
    ("老K", "膝盖手术挺顺利，要拄一个月拐杖", "拄拐杖怎么上楼"),
    ("小雨", "我是色盲，红绿分不清", "色盲能考飞行员吗"),
    ("老周", "其实我在新疆出生，喀什那边", "喀什现在冷不冷"),
    ("小丹", "我论文九号交", "论文查重要花钱吗"),
    (
        "阿豪",
        "我收集老打字机，刚收到第七台",
        "阁楼里翻出一台打字机",
    ),
];

/// Written when all numbers of what comes to mind had been chosen.
pub const ENGLISH_FRESH: [Fact; 12] = [
    (
        "Anna",
        "my brother keeps bees on the roof now, i got a jar",
        "is it legal to keep bees in town?",
    ),
    (
        "Ben",
        "i'm scared of lifts, i took the stairs to the eleventh floor",
        "the lift in our building makes a horrible noise",
    ),
    (
        "Chloe",
        "i'm vegan since january, just so you don't order for me",
        "does that pizzeria do anything vegan?",
    ),
    (
        "Dev",
        "got accepted to the nursing school in Leeds",
        "what's there to see in leeds on a rainy day",
    ),
    (
        "Emma",
        "lost my passport on the night train, what a mess",
        "how long does a new passport take these days?",
    ),
    (
        "Finn",
        "i'm building a canoe in my dad's shed",
        "we could rent a canoe at the lake",
    ),
    (
        "Gita",
        "my daughter turns seven on saturday, she wants a dinosaur party",
        "they have dinosaur masks at the dollar store",
    ),
    (
        "Hugo",
        "i sold the van, too many repairs",
        "hugo, can we borrow the van for the move?",
    ),
    (
        "Anna",
        "i'm left handed so scissors are my enemy",
        "are there scissors for left handed people",
    ),
    (
        "Ben",
        "we named the baby Rosalind after my aunt",
        "rosalind is such a pretty name, isn't it",
    ),
    (
        "Chloe",
        "i have a job interview at the observatory next week",
        "the observatory is open to visitors now",
    ),
    (
        "Dev",
        "i snore so badly that i bought a machine for it",
        "somebody in my dorm snores like a tractor",
    ),
];

/// The same in Chinese.
pub const CHINESE_FRESH: [Fact; 12] = [
    ("小雨", "我弟在楼顶养蜜蜂，给了我一罐", "城里能不能养蜜蜂啊"),
    ("老周", "我坐电梯就害怕，刚爬了十一楼", "我们楼的电梯天天响"),
    (
        "小丹",
        "我一月起吃素了，点菜别算我",
        "那家披萨有没有吃素能点的",
    ),
    (
        "阿豪",
        "我被护理学院录取了，在绵阳",
        "绵阳下雨天有什么好逛的",
    ),
    ("小林", "护照丢在夜车上了，糟心", "补办护照要等几天"),
    ("大伟", "我在我爸的棚子里造独木舟", "湖边可以租独木舟"),
    (
        "小美",
        "我闺女周六满七岁，要开恐龙派对",
        "两元店有卖恐龙面具的",
    ),
    ("老K", "面包车卖了，修不起", "老K，搬家借你面包车用用"),
    ("小雨", "我是左撇子，最烦剪刀", "有没有左撇子用的剪刀"),
    ("老周", "给孩子取名叫向葵，随我姑妈", "向葵这名字真好听"),
    ("小丹", "下周去天文台面试", "天文台现在对外开放了"),
    (
        "阿豪",
        "我打呼噜太厉害，买了台机器治",
        "宿舍有人打呼噜像拖拉机",
    ),
];
