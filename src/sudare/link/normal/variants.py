"""Characters that are written in several ways in Japanese names and places.

`USUAL` maps the form met to the form it becomes. Most are an old or printed form of the same
character; 斎 and 斉 are two, which registers and customers confuse so often that a join by name
has to treat them as one. Compatibility characters (such as 神 or 福 of U+F9xx) are not here: NFKC
has settled them.
"""

from __future__ import annotations

_PAIRS = """
髙高 﨑崎 嵜崎 濱浜 濵浜 邊辺 邉辺 齋斉 齊斉 斎斉 斊斉 澤沢 廣広 國国 圀国 櫻桜 龍竜 嶋島 嶌島
冨富 眞真 壽寿 學学 斈学 惠恵 德徳 渕淵 渊淵 舘館 瀧滝 萬万 黑黒 藏蔵 條条 實実 與与 榮栄 靜静
彌弥 禮礼 圓円 關関 豐豊 鐵鉄 曾曽 淺浅 當当 寬寛 增増 步歩 淸清 𠮷吉 桒桑 栁柳 桺柳 槗橋 舩船
籔藪 薮藪 柗松 枩松 峯峰 杦杉 檜桧 會会 應応 緖緒 鹽塩 嶽岳 總総 篭籠 禰祢 楳梅 鄕郷 橫横 黃黄
戶戸 彥彦 靑青 內内 吳呉 每毎 顯顕 狹狭 莊荘 兒児 佛仏 傳伝 劍剣 巖巌 嚴厳 恆恒 敎教 晉晋 曉暁
樂楽 樓楼 氣気 澁渋 澀渋 瀨瀬 爲為 豬猪 瑤瑶 祿禄 稻稲 穗穂 竝並 縣県 繩縄 聰聡 聲声 藝芸 蘆芦
螢蛍 覺覚 譽誉 讓譲 豫予 賴頼 釋釈 驛駅 鷗鴎 麥麦 麴麹 龜亀 亞亜 來来 凉涼 勳勲 區区 壯壮 將将
帶帯 廳庁 拔抜 攝摂 數数 齡齢 濟済 灣湾 燈灯 玆茲 發発 眾衆 碎砕 簞箪 絲糸 莵菟 藥薬 蠣蛎 邇迩
醫医 錄録 錢銭 隨随 隱隠 雙双 靈霊 鬪闘 鷄鶏 點点 齒歯
"""
USUAL: dict[str, str] = {pair[0]: pair[1] for pair in _PAIRS.split()}
