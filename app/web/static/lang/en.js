// @ts-check
/** English, by the Chinese text itself. Sentences stay as short as the Chinese ones: they stand in the same boxes. */

/** @type {Record<string, string>} */
export const EN = {
  // names
  雀桌: "Quezhuo", 天津: "Tianjin", 贵州: "Guizhou", 大唐: "Tangshan", 天津麻将: "Tianjin mahjong", 贵州捉鸡: "Guizhou chicken", 大唐撸麻雀儿: "Tangshan sparrow",
  "混儿 · 只自摸 · 坐庄拉庄": "Wild tiles · self-draw only · sit and pull", "两门 72 张 · 豆与鸡": "Two suits, 72 tiles · beans, chickens", "16 张 · 亮喜与扣": "16 tiles · lit and covered sets",
  // table
  局: "rounds", 盘: "rounds", 余: "left", 张: "tiles", 我: "You", 庄: "D", 人: "players", 家: "seats", 分: "pt", 番: "fan", 底: "Base", 房间: "Room", 空位: "Empty", 电脑: "Bot", 离线: "Offline", 托管: "Auto", 相公: "Dead", 混: "Wild", 鸡: "Chick", 翻: "Flip",
  牌桌: "Table", 菜单: "Menu", 工具: "Tools", 短语: "Phrases", 手牌: "Hand", 打出的牌: "discards", 暗牌: "face down", 刚摸的: "just drawn", 轮到你了: "Your turn", 等待: "Waiting for", 每家: "each", 打: "Drop", 听: "Waits", 要不要: "Your choice", 选一种: "Choose",
  "点牌选中，再点打出": "Tap to pick, tap again to discard", 打出: "Discard", 碰: "Pong", 杠: "Kong", 胡: "Win", 过: "Pass", 吃: "Chow", 自摸: "Self-draw", 亮喜: "Light", 补喜: "Add", 扣: "Cover", 订将: "Pair", 将: "Pair", 喜: "Xi", 报听: "Ready",
  明杠: "Open kong", 补杠: "Added kong", 暗杠: "Closed kong", 金杠: "Gold kong", 点豆: "Bean", 爬坡豆: "Added bean", 闷豆: "Closed bean", 憨包豆: "Late bean",
  坐庄: "Sit", 不坐: "No", 不拉: "No pull", 拉一: "Pull 1", 拉二: "Pull 2", "开局前：是否坐庄？四家同时亮出": "Before the deal: sit? All reveal together", "开局前：是否拉庄？四家同时亮出": "Before the deal: pull? All reveal together",
  "铲：庄家要付每家": "Follow: the dealer owes everyone", "开牌：可亮喜、可扣，完了点“过”": "Opening: light, cover, then pass", "报听：点亮的牌打出后即听": "Ready: discard a bright tile", 抢喜开: "Rob xi on", 高计分: "High", 低计分: "Low",
  "打出混儿后本盘不能胡。再按一次打出": "A discarded wild bars you from winning. Discard again to confirm",
  "托管中：会自动胡，不碰不杠": "Autoplay: takes wins, never claims", 取消托管: "I am back", "连接中断，正在重连": "Connection lost, reconnecting", "牌已保存，计时照走": "Your game is saved, clocks run", 立即重试: "Retry", "正在保存…": "Saving…", 存好之前谁也看不到新牌: "Nobody sees a new tile before it is saved",
  "{0} 申请解散房间": "{0} asks to dissolve", 同意: "Agree", 不同意: "Disagree", 等待其他人: "Waiting for others", 申请解散: "Ask to dissolve", 离开: "Leave", "离开后由托管打完这一局。确定离开？": "Autoplay finishes this round. Leave?",
  能胡就胡: "Win automatically", 听牌提示: "Show waits", 打混儿前先问: "Ask before a wild goes", 继续: "Resume", "暂停（全桌同意，下局前生效）": "Pause (all agree, before the next deal)", 静音: "Mute", 取消静音: "Unmute", 举报: "Report", 关闭: "Close", 回大厅: "Lobby",
  大家好: "Hello", "快点吧，等得花儿都谢了": "Hurry up, the flowers have faded", 打得漂亮: "Well played", 谢谢: "Thanks", 不好意思: "Sorry", 手气不好: "No luck today", 再来一局: "One more", "先走了，下次再约": "Off now, see you",
  // waiting room
  等待开始: "Before the start", 准备: "Ready", 取消准备: "Not ready", 已准备: "Ready", 未准备: "Not ready", 坐这里: "Sit here", 加电脑: "Add bots", 解散房间: "Close room", "请出 {0}": "Remove {0}", 复制链接: "Copy link", 已复制房间链接: "Room link copied", 房间二维码: "QR code of the room",
  // settlement
  结算: "Settlement", 付: "pays", 条款: "Clause", 明细: "Why every point moved", 全部: "All", 只看我: "Mine", 四家手牌: "Hands", 总分: "Score", 两家: "both", 三家: "all three", 没有分数变动: "No points moved", 洗牌校验通过: "Shuffle verified", 洗牌校验不通过: "Shuffle check failed", 翻鸡: "Flip",
  本局作废: "Void round", 本盘作废: "Void round", 荒庄: "Exhausted", 接炮: "off a discard", 抢杠: "robbed a kong", 抢喜: "robbed xi", 杠上开花: "kong draw", 分享: "Share", 看牌桌: "Table", 看名次: "Ranking", 再来一场: "Play again", 全场结束: "Match over", "共 {0} 局": "{0} rounds", 牌谱稍后可在战绩里分享: "Share it from your history in a moment", 已复制回放链接: "Replay link copied",
  胡牌: "Win", 杠分: "Kong points", "铲：前四张同牌": "Follow: four equal discards", 封顶调整: "Cap", 牌型分: "Hand", 豆分: "Beans", 鸡分: "Chickens", "包鸡：没听要赔": "Not ready, pays chickens", 责任鸡: "Duty chicken", "查叫：没听赔听": "Not ready pays ready", "扣，未开杠": "Cover", 门清胡牌: "Closed win", 自摸成喜: "Xi by draw", 门清自摸成喜: "Closed xi by draw",
  // lobby
  快速开始: "Quick match", 创建房间: "Create room", 输入房号: "Join by code", 亲友圈: "Circles", 战绩: "History", 等级: "Ladder", 我的: "Me", 开始: "Play", 创建: "Create", 加入: "Join", 删除: "Delete", 清空: "Clear", 与电脑练习: "Practise with bots", 玩法: "Game", 桌设置: "Table settings", 恢复默认: "Defaults", 一键进入正在打的牌局: "Back to your table", 游客: "Guest", 账号: "Account",
  // replay
  回放: "Replay", 返回: "Back", 上一步: "Back one step", 下一步: "Next step", 播放: "Play", 暂停: "Pause", 步: "Step", 速度: "Speed", 第: "No.", 第几局: "Round", 谁的视角: "Whose view", 全开: "Open",
  // trouble
  "打不开这一页，请检查网络": "This page cannot be opened; check the network", 重试: "Retry", "这个座位已在别处打开，本页不再连接": "This seat was opened elsewhere; this page stays away", 在这里打开: "Open it here", 房间已关闭: "The room is closed", 你已被请出房间: "You were removed from the room", 没有这个房间: "No such room", "有新版本，请刷新页面": "A new version is out; reload", 连接被拒绝: "Connection refused", 不能进入这个房间: "You may not enter this room", 账号被限制: "This account is restricted", 连接已结束: "Connection ended",
};
