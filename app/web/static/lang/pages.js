// @ts-check
/** English for what lies around the table: circles, history, ladder, account, operators, refusals. */

/** @type {Record<string, string>} */
export const PAGES = {
  // circles
  圈主: "Owner", 管理: "Manage", 成员: "Members", "读取中…": "Loading…", 新建: "New", "和常一起打牌的人建一个圈，玩法存好，一点就开桌。": "Make a circle with the people you play with: saved games, one tap to a table.", "{0} 人申请": "{0} waiting",
  给新的亲友圈起个名字: "Name the new circle", 名字: "Name", "输入亲友圈的 8 位号码": "The circle's code, 8 digits", 申请加入: "Apply", 号码: "Code", "已向「{0}」申请，等管理同意": "Asked to join {0}; its managers decide", 已复制圈号: "Circle code copied", 圈号: "Code",
  正在开的桌: "Open tables", "玩法，一点就开桌": "Saved games", 存一个玩法: "Save a game", "还没有存好的玩法。": "No saved games yet.", 排行: "Board", 本周排行: "This week", 解散亲友圈: "Close the circle", "解散「{0}」？正在打的桌也会结束。": "Close {0}? Its running tables end too.", 解散: "Close",
  退出亲友圈: "Leave the circle", "退出「{0}」？": "Leave {0}?", 退出: "Leave", 圈子公告: "Notice of the circle", 保存: "Save", 公告: "Notice", "还没有公告。": "No notice yet.", 改公告: "Edit notice", "现在没有人开桌。": "No open tables now.",
  "解散这一桌？这一局作废，已结算的局都算数。": "Close this table? The running round is void, settled ones stand.", 原因: "Reason", "缺 {0} 人": "{0} free", 坐下: "Sit", 看看: "Look", "删除玩法「{0}」？": "Delete {0}?", 开桌: "Open", "这一周还没有打过。": "Nothing played this week.",
  名次: "Rank", 局数: "Rounds", 得失: "Net", "请「{0}」离开亲友圈？": "Remove {0} from the circle?", 移出: "Remove", 还没打过: "Not played yet", 撤管理: "Demote", 设管理: "Promote", 拒绝: "Reject", "没有人在申请。": "Nobody is waiting.", 不同桌: "Keep apart", 禁止加入: "Ban", 没有: "None",
  转让亲友圈: "Hand over", 转让: "Hand over", "把亲友圈转让给「{0}」？": "Hand the circle to {0}?", 移出并且不能再申请: "Out, and may not apply again", 不同桌的一位: "One of the pair", 不同桌的另一位: "The other", "例如：常规八局": "e.g. The usual eight",
  // history
  作废: "Void", 出错: "Failed", 打满: "Finished", 运营关闭: "Closed by operators", 有人离开: "Somebody left", 无人在线: "Deserted", 更多: "More", "还没有打过。去打一局？": "Nothing played yet.", 全部玩法: "All games", 对局: "Matches", 进行中: "Running", 统计: "Statistics",
  胡率: "Win rate", 坐庄局: "As dealer", 总得失: "Net", 最常胡: "Favourite", 最大一局: "Best round", "没有打完的局。": "No finished rounds.", "第 {0} 局": "Round {0}",
  // ladder
  "{0} 级 {1}": "Level {0}, {1}", 我的等级: "My level", 积分: "Points", "还差 {0} 到{1}": "{0} to {1}", "第 {0} 名": "No. {0}", 赛季: "Season", 本季: "This season", 总榜: "All time", 我的附近: "Around me", 等级表: "Levels", "只算天津麻将快速匹配、没有电脑和托管的局。": "Only Tianjin quick matches without bots and autoplay count.", "还没有人上榜。": "Nobody yet.",
  // account
  已保存: "Saved", 密码: "Password", "升级为账号：换设备也能登录": "Make an account: sign in anywhere", 升级: "Make it", 已升级为账号: "You have an account now", 登录已有账号: "Sign in to an account", 登录: "Sign in", 已登录: "Signed in", 旧密码: "Old password", 新密码: "New password", 改密码: "Change password", "退出登录（{0}）": "Sign out ({0})",
  设置: "Settings", 语言: "Language", 换成英文: "换成中文", 黑名单: "Blocked", 移除: "Remove", "没有。在牌桌菜单里可以拉黑。": "Nobody. Block people from the table's menu.", "删除「{0}」的全部资料？打过的局会留下，但不再有名字。": "Delete everything about {0}? Rounds stay, without the name.", 我的资料: "My data", 下载: "Download", 删除账号: "Delete account",
  // operators
  数字: "Figures", 玩家: "Players", 节点: "Nodes", 日志: "Log", 运营: "Operators", "运营账号（用令牌登录时留空）": "Operator's name (empty with a token)", 密码或令牌: "Password or token", "要求查看暗牌的权限（会记入日志）": "Ask for the right to see hidden tiles (logged)", 已执行: "Done", 向所有牌桌公告: "Announce to all tables", "查看牌桌（含暗牌）会记入日志": "Looking at hidden tiles is logged", 查看: "Inspect", 请出: "Kick",
  已停下: "Frozen", 放行: "Release", 放行这一桌: "Release this table", 停下: "Freeze", 让这一桌停下: "Freeze this table", 名字开头: "Name begins with", 查找: "Find", 处罚: "Sanctions", 设备: "Device", 封禁: "Ban", 禁言: "Mute", 解除: "Lift", 已失效: "Over", "禁言 {0}": "Mute {0}", "封禁 {0} 和他的设备": "Ban {0} and the devices", 处理: "Handle", 怎样处理的: "How it was handled",
  桌: "tables", 正在排空: "Draining", 排空: "Drain", "排空节点 {0}？它的桌会移到别处。": "Drain node {0}? Its tables move elsewhere.", 时间: "When", 谁: "Who", 做了什么: "What", 对象: "Whom", 结果: "Result", waiting: "waiting", playing: "playing", between: "between rounds", ended: "ended",
  // refusals
  这一步已经过去了: "Too late for that", 不是问你的: "Not your question", 现在不能这样打: "Not possible now", 这一局已经结束: "The round is over", 你不在座位上: "You have no seat", 只有房主可以: "Only the host may", 现在不行: "Not now", 座位已有人: "The seat is taken", 房间已坐满: "The room is full", 没有权限: "Not allowed", "太快了，稍等一下": "Too fast, wait a moment", "服务器忙，请再试一次": "Busy, try again",
  牌桌已停下: "The table is stopped", "牌桌换了服务器，正在重连": "The table has moved, reconnecting", "正在保存，请稍等": "Saving, wait a moment", 服务器出错了: "The server failed", 请重新登录: "Sign in again", 名字或密码不对: "Name or password is wrong", 名字已有人用: "The name is taken", 没有找到: "Not found", 内容不对: "That is not valid", 和现在的状态冲突: "Conflicts with what is now", 已经不在了: "Gone",
  "服务器桌数已满，请稍后再来": "The server is full, come back soon", 含有不能用的词: "Contains a blocked word", 内容太长: "Too long", 没有成功: "Not done", 取消: "Cancel",
  // table, seldom
  "运营人员已收到通知，分数都在": "Operators know; all points are kept", 还没回答: "not yet", "暂停中，随时可以继续": "Paused; go on any time", "{0} 想在下一局前暂停": "{0} would like a pause before the next round", 房主解散了房间: "The host closed the room", "全桌同意，房间已解散": "All agreed; the room is closed", 房间已被运营人员关闭: "Closed by an operator", 房间已被亲友圈管理关闭: "Closed by the circle",
  "太久没有开局，房间已关闭": "Not started for long; closed", "没有再来一场，房间已关闭": "No rematch; closed", "没有人在线，房间已关闭": "Nobody was there; closed", 你已离开房间: "You have left", "房间出错，已关闭；已结算的局都算数": "The table failed and is closed; settled rounds stand", 刷新: "Reload", 声音: "Sounds", 拉黑: "Block", "拉黑 {0}？快速开始不会再遇到，也不能进你开的房间。": "Block {0}? You will not meet in quick matches or your rooms.", 已拉黑: "Blocked", "举报 {0}": "Report {0}", 发生了什么: "What happened", 已交给运营人员: "The operators have it",
  看结算: "Settlement", 旁观中: "Watching", 本局结算: "Settlement", 每局得失: "Round by round", 没有可分享的牌谱: "Nothing to share", "正在准备牌桌…": "Setting the table…", 正在找牌友: "Looking for players", "人满就开局，可以先去做别的": "It starts as soon as the table is full", "坐庄、拉庄的输赢再翻倍": "Sit and pull double between dealer and player",
};
