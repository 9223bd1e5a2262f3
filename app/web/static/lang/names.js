// @ts-check
/** English names of patterns, points, levels and options, by their Chinese names in the variants' META. */

/** @type {Record<string, string>} */
export const NAMES = {
  // 天津
  提溜: "Plain", 素: "No wild", 混吊: "Wild wait", 双混吊: "Double wild wait", 捉5: "Catch 5", 龙: "Dragon straight", 本混: "Own wilds", 杠开: "Kong bloom", 天和: "Heavenly", 铲: "Follow", 封顶: "Cap",
  白板: "White", 一万: "1 Wan", 二万: "2 Wan", 三万: "3 Wan", 四万: "4 Wan", 五万: "5 Wan", 六万: "6 Wan", 七万: "7 Wan", 八万: "8 Wan", 九万: "9 Wan",
  东风: "East", 西风: "West", 南风: "South", 北风: "North", 中: "Red", 发: "Green", 雀神: "Sage",
  // 贵州
  平胡: "Plain", 大对子: "All triplets", 七对: "Seven pairs", 龙七对: "Dragon pairs", 清一色: "Flush", 清大对: "Flush triplets", 清七对: "Flush pairs", 清龙背: "Flush dragon pairs", 单吊: "Last tile", 清单吊: "Flush last tile",
  天听: "Declared ready", 杀听: "Beat a ready hand", 天胡: "Heavenly", 地胡: "Earthly", 幺鸡: "Chicken", 乌骨鸡: "Black chicken", 金鸡: "Golden chicken", 冲锋鸡: "Charging chicken", 本鸡: "Flipped tile", 星期鸡: "Weekday chicken", 牌型: "Hand", 包鸡: "Chicken debt", 查叫: "Ready check",
  // 大唐
  门未清: "Open hand", 门清: "Closed hand", "喜胡自摸（门未清）": "Xi by draw, open", "喜胡自摸（门清）": "Xi by draw, closed", "幺喜（1万1筒1条）": "Ones", "九喜（9万9筒9条）": "Nines", "箭喜（中发白）": "Dragons", "风喜（东南西北）": "Winds", "胡（门未清）": "Win, open", "胡（门清）": "Win, closed",
  // options
  "2 人": "2", "3 人": "3", "4 人": "4", "2人PK": "2", "3人拐": "3", "4人": "4", 不允许: "Off", 仅成员: "Members", 所有人: "All",
};
