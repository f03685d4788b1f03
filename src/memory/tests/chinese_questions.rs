//! Questions in Chinese about what five people told of themselves, each in the midst of small talk: 110 questions over
//! 3,000 lines. Every question can be asked of all five, so that it matters who said it.

use kith_core::chat::{Author, AuthorKind, ChannelId, HOUR, Message, MessageId, Millis, UserId};
use kith_core::event::ChatEvent;
use kith_memory::{Memory, RecallQuestion, RecallSources};
use kith_store::Store;

use crate::chatter::CHINESE;

const PEOPLE: [&str; 5] = ["小雨", "老周", "小丹", "阿豪", "小林"];

/// How it is told, how it is asked, and what each of the five has to tell.
type Topic = (&'static str, &'static str, [&'static str; 5]);

const TOPICS: [Topic; 22] = [
    (
        "说一声，我对{}过敏，点菜注意下",
        "{who}对什么过敏来着",
        ["虾", "芒果", "花生", "牛奶", "桂花"],
    ),
    (
        "我生日是{}，别忘了哈",
        "{who}生日是哪天",
        ["三月五号", "六月十八", "九月二号", "十一月七号", "腊月初八"],
    ),
    (
        "家里新养了宠物，{}",
        "{who}家养的什么宠物",
        [
            "橘猫叫豆包",
            "柯基叫腿哥",
            "仓鼠叫瓜子",
            "鹦鹉叫话痨",
            "乌龟叫法拉利",
        ],
    ),
    (
        "我老家在{}，过年才回去",
        "{who}老家是哪的",
        ["绵阳", "大同", "泉州", "赣州", "延吉"],
    ),
    (
        "换工作了，下周去{}上班",
        "{who}换到哪上班了",
        ["设计院", "律所", "游戏公司", "出版社", "水族馆"],
    ),
    (
        "报名了，年底考{}，天天刷题",
        "{who}年底考什么",
        ["注会", "教资", "雅思", "法考", "潜水证"],
    ),
    (
        "我在学{}，邻居快疯了",
        "{who}在学什么乐器",
        ["萨克斯", "架子鼓", "二胡", "小提琴", "口琴"],
    ),
    (
        "国庆去{}，票都买好了",
        "{who}国庆去哪玩",
        ["敦煌", "大理", "漠河", "平遥", "舟山"],
    ),
    (
        "下个月搬家，搬到{}那边",
        "{who}要搬到哪去",
        ["城东", "地铁口", "江对岸", "大学城", "机场路"],
    ),
    (
        "我不吃{}，闻到就难受",
        "{who}不吃什么",
        ["香菜", "羊肉", "榴莲", "折耳根", "皮蛋"],
    ),
    (
        "打球把{}扭了，医生让歇两周",
        "{who}打球扭到哪了",
        ["手腕", "脚踝", "腰", "膝盖", "脖子"],
    ),
    (
        "我报了{}的半程马拉松",
        "{who}报的哪里的马拉松",
        ["无锡", "兰州", "厦门", "贵阳", "青岛"],
    ),
    (
        "昨晚看{}看哭了",
        "{who}看什么看哭了",
        [
            "寻梦环游记",
            "忠犬八公",
            "海边的曼彻斯特",
            "请回答1988",
            "小偷家族",
        ],
    ),
    (
        "提车了，买的{}",
        "{who}买的什么车",
        ["二手捷达", "电动小蚂蚁", "五菱宏光", "老款普桑", "白色飞度"],
    ),
    (
        "我妹在{}读研",
        "{who}的妹妹在哪读研",
        ["武汉", "哈尔滨", "墨尔本", "重庆", "首尔"],
    ),
    (
        "完了，{}落在地铁上了",
        "{who}把什么落地铁上了",
        ["新买的耳机", "体检报告", "钓鱼竿", "生日蛋糕", "羽毛球拍"],
    ),
    (
        "决定戒{}，今天第一天",
        "{who}要戒什么",
        ["奶茶", "烟", "短视频", "夜宵", "网购"],
    ),
    (
        "跟{}借了五百，月底还",
        "{who}跟谁借了钱",
        ["表姐", "前同事", "房东大爷", "楼下老板", "大学室友"],
    ),
    (
        "我攒了一柜子{}",
        "{who}攒了一柜子什么",
        ["冰箱贴", "旧磁带", "球星卡", "火柴盒", "明信片"],
    ),
    (
        "我从小就怕{}，看到腿软",
        "{who}从小怕什么",
        ["蛾子", "鹅", "小丑", "打针", "电梯"],
    ),
    (
        "客厅刷成{}了，比想象中好看",
        "{who}家客厅刷成什么颜色",
        ["墨绿", "橙色", "灰紫", "奶黄", "砖红"],
    ),
    (
        "我在{}报了书法课",
        "{who}在哪上的书法课",
        ["少年宫", "文化馆", "老年大学", "社区中心", "寺里"],
    ),
];

const SMALL_TALK: u64 = 3_000;
const HERE: ChannelId = ChannelId(1);

fn say(number: u64, person: usize, text: String) -> ChatEvent {
    ChatEvent::Message(Message {
        id: MessageId(number + 1),
        channel: HERE,
        arrival: 0,
        at: number as Millis * HOUR / 2,
        author: Author {
            id: UserId(10 + person as u64),
            name: PEOPLE[person].into(),
            kind: AuthorKind::Person,
        },
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

#[tokio::test]
async fn questions_in_chinese_find_who_told_what_among_3000_lines() {
    let facts: Vec<(usize, String, String)> = (0..TOPICS.len() * PEOPLE.len())
        .map(|number| {
            // Each topic comes up in another month for each of them.
            let (topic, person) = (number % TOPICS.len(), number % PEOPLE.len());
            let (told, asked, values) = TOPICS[topic];
            let question = asked.replace("{who}", PEOPLE[person]);
            (person, told.replace("{}", values[person]), question)
        })
        .collect();
    let every = SMALL_TALK as usize / facts.len();
    let mut events = Vec::new();
    for number in 0..SMALL_TALK {
        let at = number as usize;
        if at % every == every / 2
            && let Some((person, told, _)) = facts.get(at / every)
        {
            events.push(say(events.len() as u64, *person, told.clone()));
        }
        let text = CHINESE.line(number);
        events.push(say(events.len() as u64, at * 7 % PEOPLE.len(), text));
    }
    let store = Store::open_in_memory().unwrap();
    store.append(events).await.unwrap();
    let memory = Memory::new(store);
    let sources = RecallSources {
        here: HERE,
        channels: vec![HERE],
        shown_from: None,
        begins_after: None,
    };
    let (mut first, mut among_five) = (0, 0);
    for (_, told, question) in &facts {
        let asked = RecallQuestion {
            words: question.clone(),
            limit: 5,
            ..RecallQuestion::default()
        };
        let found = memory.search(&sources, asked).await.unwrap();
        let place = found.iter().position(|hit| *hit.text == **told);
        first += usize::from(place == Some(0));
        among_five += usize::from(place.is_some());
        if place.is_none() {
            println!("  not found: {question} -> {told}");
        }
    }
    let all = facts.len();
    println!("{all} questions: {first} found first, {among_five} among five");
    assert!(
        all >= 100 && among_five * 100 >= all * 90,
        "{among_five} of {all}"
    );
}
