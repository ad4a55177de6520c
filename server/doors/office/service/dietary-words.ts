/*
 * Words about food in what guests and staff wrote, for the kitchen's sheet: found when it is shown and stored nowhere, since they
 * may be about a person's health. They only point at a note, which is shown with them: "no vegan menu" has the word, too.
 */

/** By the word that the sheet shows, how it begins in the languages in which guests book. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  vegan: ['vegan', 'végan', 'vegano', 'vegana', 'veganist', 'ビーガン', 'ヴィーガン'],
  vegetarian: ['vegetar', 'végétar', 'vegetár', 'ベジタリアン', '菜食'],
  pescatarian: ['pescatar', 'pescetar', 'pesco'],
  gluten: [
    'gluten',
    'celiac',
    'coeliac',
    'celíac',
    'celiach',
    'cœliaque',
    'zöliak',
    'coeliak',
    'グルテン',
    '小麦',
  ],
  dairy: [
    'dairy',
    'lactos',
    'laktos',
    'lattosio',
    'lácteo',
    'laitier',
    'milchfrei',
    'zuivel',
    '乳製品',
    '乳糖',
  ],
  nuts: [
    ...[
      'nut',
      'nuts',
      'peanut',
      'almond',
      'noix',
      'arachide',
      'cacahu',
      'erdnuss',
      'erdnüsse',
      'nüsse',
      'nuss',
    ],
    ...[
      'nueces',
      'frutos secos',
      'noci',
      'nocciol',
      'noten',
      'pinda',
      'amendoim',
      'nozes',
      'ナッツ',
      'ピーナッツ',
    ],
  ],
  shellfish: [
    'shellfish',
    'crustac',
    'crustác',
    'marisco',
    'schalentier',
    'schaaldier',
    'prawn',
    'shrimp',
    '甲殻類',
    'えび',
  ],
  egg: ['egg', 'eggs', 'huevo', 'œuf', 'oeuf', 'uova', 'ovos', 'eieren', '卵'],
  soy: ['soy', 'soya', 'soja', 'soia', '大豆'],
  sesame: ['sesam', 'sésam', 'ごま'],
  pork: ['pork', 'cerdo', 'porc', 'maiale', 'schweinefleisch', 'varken', '豚肉'],
  halal: ['halal', 'ハラール'],
  kosher: ['kosher', 'koscher', 'casher', 'koosjer', 'コーシャ'],
  allergy: ['allerg', 'alérg', 'alerg', 'アレルギー'],
  pregnant: ['pregnan', 'enceinte', 'embaraz', 'schwanger', 'incinta', 'grávida', 'zwanger', '妊娠'],
}

/** The words for food and diets in some notes, in the order of the list above. */
export const dietaryWords = (notes: readonly (string | null)[]): string[] => {
  const text = notes.flatMap((note) => note?.normalize('NFC').toLowerCase() ?? []).join('\n')
  const words = new Set(text.match(/[\p{L}\p{M}]+/gu))
  const isIn = (beginning: string): boolean => {
    // Japanese has no spaces between words, and some are two.
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]| /u.test(beginning))
      return text.includes(beginning)
    // Short ones would begin others: "eggplant", "soybean", "nutmeg".
    if (beginning.length < 5) return words.has(beginning)
    return [...words].some((word) => word.startsWith(beginning))
  }
  return Object.keys(beginnings).filter((word) => beginnings[word]?.some(isIn))
}
