/**
 * @template {{ name: string }} Item
 * @param {Item[]} items
 * @param {string[] | undefined} wanted all when absent
 * @param {string} kind for the message
 */
export function selectByName(items, wanted, kind) {
  if (!wanted) return items
  for (const name of wanted) {
    if (!items.some((item) => item.name === name))
      throw new Error(`There is no ${kind} "${name}". There are: ${items.map((item) => item.name).join(', ')}.`)
  }
  return items.filter((item) => wanted.includes(item.name))
}
