import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const web = join(root, 'packages/server/dist/web')
const bundles = 'node_modules/.cache/countersign/size'

/** The scripts that the page asks for before it can show anything. */
function listFirstLoad() {
  const page = join(web, 'index.html')
  if (!existsSync(page)) throw new Error(`${page} is missing. Build first: npm run build`)
  const tags = readFileSync(page, 'utf8').match(/<(script|link)\b[^>]*>/g) ?? []
  const addresses = tags
    .filter((tag) => tag.startsWith('<script') || tag.includes('modulepreload'))
    .map((tag) => tag.match(/\s(?:src|href)="([^"]+\.js)"/)?.[1])
  return addresses.filter((address) => address !== undefined).map((address) => join(web, address))
}

/**
 * An entry and the chunks that it cannot start without: what it shares with something that loads later lies there.
 *
 * @param {string} name
 * @param {Set<string>} [seen]
 * @returns {string[]}
 */
export function listBundle(name, seen = new Set()) {
  const file = join(root, bundles, name)
  if (seen.has(file)) return [...seen]
  seen.add(file)
  if (!existsSync(file)) return [...seen]
  const statements = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)
  for (const [, chunk = ''] of statements) listBundle(join(dirname(name), chunk), seen)
  return [...seen]
}

/**
 * @param {string} name
 * @param {string} entry
 * @param {string} limit
 */
function budget(name, entry, limit) {
  return { name, path: listBundle(`${entry}.js`), limit, gzip: true }
}

const hasMoralis = existsSync(join(root, bundles, 'moralis.js'))

export default [
  budget('@countersign/react/core', 'core', '23.3 kB'),
  budget('@countersign/react, every hook', 'index', '28.5 kB'),
  budget('only useSession, with the provider', 'useSession', '10.1 kB'),
  budget('only useDocuments, with the provider', 'useDocuments', '13.9 kB'),
  budget('only useWallet, with the provider', 'useWallet', '10.1 kB'),
  budget('@countersign/react/core with its options for TanStack Query', 'query', '23.9 kB'),
  budget('only the Suspense hooks, with the provider', 'suspense', '14.5 kB'),
  budget('only the offline part, beside every hook', 'offline', '41.8 kB'),
  budget('only the adapter for TanStack DB, beside every hook', 'tanstackDb', '31 kB'),
  // In two parts: the button, and the sheet, which loads when the pointer reaches the button.
  budget('@countersign/react with the sheet', 'sheet', '46.8 kB'),
  // The older names may weigh 13.1 kB on top of every hook; scripts/size.mjs holds them to that as well.
  ...(hasMoralis ? [budget('@countersign/react with @countersign/moralis', 'moralis', '42.6 kB')] : []),
  { name: 'web application, first load', path: listFirstLoad(), limit: '120 kB', gzip: true },
]
