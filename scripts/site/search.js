// Ranking of the documentation's search. Served as it is, and run by the tests with the same index.

/** @typedef {{ title: string, page: string, url: string, hint: string, text: string, weight: number }} Entry */
/** @typedef {{ entries: Entry[], synonyms: [string, string][] }} Index `synonyms`: other names, and our name for it */
/** @typedef {Map<number, number>} Postings points by number of the entry */

/** Words of a question that say nothing about its subject. */
const stopWords = new Set(
  `a add an and are as at be but by can could did do does for from get have how i if in into is it its me my need of on one or
  our out should so some someone than that the their them then there they this to up use using want was we what when where
  which who why will with without work would you your`.split(/\s+/),
)

/**
 * Points of a word by its place. The title of an entry outweighs that of its page, and both outweigh the text. `part` is
 * for parts of a name: `many` hardly finds `tooManyTokens`.
 */
const points = { title: 12, page: 5, part: 4, text: 1.5 }

/** Share of the points that all entries of a page have together: a page about the subject has the words in several. */
const shareOfPage = 0.15

/**
 * Prepares the search.
 *
 * @param {Index} index
 * @returns {(query: string, limit?: number) => Entry[]} the best entries for a query, the best first
 */
export function createSearch({ entries, synonyms }) {
  const words = indexWords(entries)
  const pages = entries.map(({ url }) => url.split('#')[0])
  const vocabulary = [...words.keys()]
  const names = synonyms.map(([other, ours]) => /** @type {const} */ ([toTerms(other), toTerms(ours)]))
  const titles = entries.map(({ title }) => ({ text: title.toLowerCase(), terms: toTerms(title) }))
  return (query, limit = 12) => {
    const asked = query.trim().toLowerCase()
    const groups = groupTerms(toTerms(query), names)
    const terms = groups.flat(2)
    const found = groups.map(findGroup)
    /** @type {Postings} */
    const scores = new Map()
    /** @type {Postings} groups that an entry has */
    const matched = new Map()
    for (const group of found)
      for (const [entry, score] of group) {
        scores.set(entry, (scores.get(entry) ?? 0) + score)
        matched.set(entry, (matched.get(entry) ?? 0) + 1)
      }
    const ofPages = scorePages(found)
    const ranked = [...scores]
      .map(([number, score]) => {
        // Entries that have all words of the query come first.
        const share = Math.sqrt((matched.get(number) ?? 0) / groups.length)
        const ofPage = shareOfPage * (ofPages.get(pages[number]) ?? 0)
        return { number, score: (score + ofPage) * share * fitOf(number, terms, asked) }
      })
      .sort((a, b) => b.score - a.score || a.number - b.number)
      .flatMap(({ number }) => entries[number] ?? [])
    // A name that several pages of the reference and tables have is shown once.
    const shown = new Set()
    return ranked.filter(({ title, weight }) => weight >= 1 || (!shown.has(title) && shown.add(title))).slice(0, limit)
  }

  /**
   * Points by page: the best of its entries for each group, for all groups together.
   *
   * @param {Postings[]} found
   */
  function scorePages(found) {
    /** @type {Map<string | undefined, number>} */
    const totals = new Map()
    /** @type {Map<string | undefined, number>} groups that a page has */
    const counts = new Map()
    for (const group of found) {
      /** @type {Map<string | undefined, number>} */
      const best = new Map()
      for (const [entry, score] of group) best.set(pages[entry], Math.max(best.get(pages[entry]) ?? 0, score))
      for (const [page, score] of best) {
        totals.set(page, (totals.get(page) ?? 0) + score)
        counts.set(page, (counts.get(page) ?? 0) + 1)
      }
    }
    return new Map([...totals].map(([page, total]) => [page, (total * (counts.get(page) ?? 0)) / found.length]))
  }

  /** Points by entry for words of the query, or for a synonym of them. @param {string[][]} group alternatives */
  function findGroup(group) {
    /** @type {Postings} */
    const best = new Map()
    const found = group.map((terms) => terms.map(findTerm))
    // A synonym of a rare word weighs as much as the word.
    const rarity = Math.max(...found.map((each) => mean(each.map(({ size }) => rarityOf(size)))))
    found.forEach((each, place) => {
      for (const [entry] of each[0] ?? []) {
        const all = each.map((postings) => postings.get(entry) ?? 0)
        if (all.includes(0)) continue
        const score = mean(all) * rarity * (place === 0 ? 1 : 0.9)
        best.set(entry, Math.max(best.get(entry) ?? 0, score))
      }
    })
    return best
  }

  /** @param {number} found entries that have a word; a word that none has says nothing */
  function rarityOf(found) {
    return found === 0 ? 0 : Math.log(1 + entries.length / found)
  }

  /** @param {string} term */
  function findTerm(term) {
    /** @type {Postings} */
    const found = new Map()
    for (const [word, closeness] of findNear(term))
      for (const [entry, score] of words.get(word) ?? [])
        found.set(entry, Math.max(found.get(entry) ?? 0, score * closeness))
    return found
  }

  /**
   * The word itself and longer ones; if there are none, words within one typing mistake.
   *
   * @param {string} term
   * @returns {[string, number][]}
   */
  function findNear(term) {
    // If the word itself exists, longer words are mostly other words: `cor` and `core`.
    const closeness = words.has(term) ? 0.1 : 0.6
    /** @type {[string, number][]} */
    const near = vocabulary.flatMap((word) =>
      word === term ? [[word, 1]] : term.length > 2 && word.startsWith(term) ? [[word, closeness]] : [],
    )
    if (near.length > 0 || term.length < 4) return near
    return vocabulary.filter((word) => isOneEditAway(term, word)).map((word) => [word, 0.8])
  }

  /**
   * Fit of a title: names by their first letters, others by the share of their words in the query.
   *
   * @param {number} number of the entry
   * @param {string[]} terms of the query, with synonyms
   * @param {string} asked
   */
  function fitOf(number, terms, asked) {
    const { text = '', terms: own = [] } = titles[number] ?? {}
    const weight = entries[number]?.weight ?? 1
    if (text === asked) return weight * 8
    if (!asked.includes(' ') && text.startsWith(asked)) return weight * 3
    const covered = own.filter((each) =>
      terms.some((term) => (words.has(term) ? each === term : each.startsWith(term))),
    ).length
    return weight * (1 + covered / Math.max(1, own.length) / 2)
  }
}

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length)

/**
 * Groups the terms of a query with their synonyms: `forgot password` is one group with `password reset`. Words that say
 * nothing about the subject count only as part of a synonym, such as `how many`.
 *
 * @param {string[]} terms
 * @param {(readonly [string[], string[]])[]} names
 * @returns {string[][][]} groups of alternatives
 */
function groupTerms(terms, names) {
  /** @type {string[][][]} */
  const groups = []
  for (let place = 0; place < terms.length; ) {
    const known = names.filter(([other]) => other.every((term, number) => terms[place + number] === term))
    const length = Math.max(1, ...known.map(([other]) => other.length))
    const own = terms.slice(place, place + length).filter((term) => !stopWords.has(term))
    const others = known.filter(([other]) => other.length === length).map(([, ours]) => ours)
    const group = [...(own.length > 0 ? [own] : []), ...others]
    if (group.length > 0) groups.push(group)
    place += length
  }
  return groups.length > 0 ? groups : terms.map((term) => [[term]])
}

/** @param {Entry[]} entries @returns {Map<string, Postings>} entries by word */
function indexWords(entries) {
  /** @type {Map<string, Postings>} */
  const words = new Map()
  const add = (/** @type {string} */ word, /** @type {number} */ entry, /** @type {number} */ score) => {
    const postings = words.get(word) ?? new Map()
    if (!words.has(word)) words.set(word, postings)
    postings.set(entry, Math.max(postings.get(entry) ?? 0, score))
  }
  entries.forEach(({ title, page, text }, number) => {
    for (const word of toTerms(title)) add(word, number, points.title)
    for (const word of toWords(title)) add(word, number, points.part)
    for (const word of toWords(page)) add(word, number, points.page)
    for (const word of toWords(text)) add(word, number, points.text)
  })
  return words
}

/** Words of a query without their endings. @param {string} query */
const toTerms = (query) => toWords(query, false).map(stem)

/**
 * Words in lower case, with parts of names in camel case unless they are left out.
 *
 * @param {string} text
 */
function toWords(text, withParts = true) {
  const found = text.match(/[\p{L}\p{N}]+/gu) ?? []
  if (!withParts) return found.map((word) => word.toLowerCase())
  return found.flatMap((word) => {
    const parts = word.match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})/gu) ?? []
    return [word, ...(parts.length > 1 ? parts : [])].map((each) => stem(each.toLowerCase()))
  })
}

/** A word without its ending: `uploads`, `uploaded` and `uploading` are `upload`. @param {string} word */
export function stem(word) {
  if (word.length < 4) return word
  const bare = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(.{3,})(?:ing|ed)$/, '$1')
  const single = bare === word ? bare : bare.replace(/([bdgmnprt])\1$/, '$1')
  return single.replace(/(.{4,})e$/, '$1')
}

/** One letter more, less, other, or two exchanged. @param {string} a @param {string} b */
function isOneEditAway(a, b) {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const restOfA = a.slice(start)
  const restOfB = b.slice(start)
  return (
    restOfA.slice(1) === restOfB ||
    restOfB.slice(1) === restOfA ||
    restOfA.slice(1) === restOfB.slice(1) ||
    (restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0] && restOfA.slice(2) === restOfB.slice(2))
  )
}
