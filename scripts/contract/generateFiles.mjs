import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/root.mjs'
import { writeEndpointList } from './listEndpoints.mjs'
import { loadContract } from './loadContract.mjs'
import { comment, createTypeWriter, quote } from './writeTypes.mjs'

const folder = 'packages/protocol/src/generated'
const reference = 'docs/http-api.md'
const header = '// Generated from packages/protocol/src/contract: npm run contract\n'

/**
 * @typedef {{ method: string, path: string, summary: string, list?: 'app' | 'chain' | 'operator', access?: string,
 *   session?: string, sessionless?: true, textQuery?: true, reasons?: readonly string[], params?: any, input?: any,
 *   output: any }} Endpoint
 */

/** Every generated file by its path, with its text. */
export async function generateFiles() {
  const { contract, namedSchemas, typeNames, descriptions } = await loadContract()
  const writer = createTypeWriter(typeNames, descriptions)
  /** @type {[string, Endpoint][]} */
  const all = Object.entries(contract)
  const [list, endpoints] = writeEndpointList()
  return new Map([
    [list, format(endpoints)],
    [`${folder}/endpoints.ts`, format(writePlaces('endpoints', 'app', all))],
    [`${folder}/chainEndpoints.ts`, format(writePlaces('chainEndpoints', 'chain', all))],
    [`${folder}/operatorEndpoints.ts`, format(writePlaces('operatorEndpoints', 'operator', all))],
    [reference, writeReference(all)],
    [`${folder}/endpointTypes.ts`, format(writeEndpointTypes(all, writer, namedSchemas))],
  ])
}

const lists = {
  app: 'Endpoints that applications call.',
  chain: 'Endpoints that read chains, in a file of their own: clients fetch it with the first of those reads.',
  operator:
    'Endpoints that operators and their tools call, in a file of their own: pages do without it, and the console fetches it with its first screen.',
}

/** @param {Endpoint} endpoint */
const listOf = ({ list, access }) => list ?? (access && access !== 'user' ? 'operator' : 'app')

/**
 * Writes the locations of endpoints.
 *
 * @param {string} name @param {keyof typeof lists} list @param {[string, Endpoint][]} all
 */
function writePlaces(name, list, all) {
  const places = all
    .filter(([, endpoint]) => listOf(endpoint) === list)
    .map(([key, { method, path, session, sessionless, textQuery }]) => {
      const isSessionless = sessionless || session === 'dropped'
      const marks = `${isSessionless ? ', sessionless: true' : ''}${textQuery ? ', textQuery: true' : ''}`
      return `${key}: { method: ${quote(method)}, path: ${quote(path)}${marks} },`
    })
  return `${header}${comment(lists[list])}export const ${name} = {\n${places.join('\n')}\n} as const\n`
}

/** @param {[string, Endpoint][]} all @param {ReturnType<typeof createTypeWriter>} writer @param {any[]} namedSchemas */
function writeEndpointTypes(all, writer, namedSchemas) {
  const endpoints = all.map(([name, { summary, access, params, input, output }]) => {
    const given = [params, input].filter(Boolean).map((schema) => writer.write(schema, 'input'))
    const taken = given.length === 0 ? 'Record<never, never>' : given.join(' & ')
    return `${comment(`${summary}${access === 'master' ? ' Master key.' : ''}`)}${name}: { input: ${taken}; output: ${writer.write(output, 'output')} }`
  })
  const reasons = all
    .filter(([, endpoint]) => endpoint.reasons)
    .map(([name, endpoint]) => `${name}: ${[...new Set(endpoint.reasons)].map(quote).join(' | ')}`)
  writer.writeMissing(namedSchemas)
  const records = [...writer.records]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { text, description }]) => `${comment(description)}export type ${name}${text}\n`)
  return `${header}${writeImports(writer.handwritten)}
    ${records.join('\n')}
    /** Input and output of each endpoint. The key is the endpoint's one name on every level. */
    export type EndpointTypes = {\n${endpoints.join('\n')}\n}

    /** Reasons of each endpoint, in addition to those of every endpoint. */
    export type EndpointReasons = {\n${reasons.join('\n')}\n}\n`
}

/** @param {Set<string>} names */
function writeImports(names) {
  const queries = [...names].filter((name) => ['FindInput', 'WireWhere'].includes(name)).sort()
  const values = [...names].filter((name) => !queries.includes(name)).sort()
  const from = (/** @type {string[]} */ list, /** @type {string} */ file) =>
    list.length > 0 ? `import type { ${list.join(', ')} } from '../${file}.ts'\n` : ''
  return `${from(queries, 'queries')}${from(values, 'values')}`
}

/**
 * Endpoints that clients call. Those that read chains or need the master key have pages of their own, and those of the
 * console are in the reference.
 *
 * @param {[string, Endpoint]} each
 */
const isForClients = ([, { access, path }]) =>
  (access === undefined || access === 'user') && !/^\/(chain|portfolio|solana)\b/.test(path)

/** The page with its table of endpoints. @param {[string, Endpoint][]} all */
function writeReference(all) {
  const page = readFileSync(join(root, reference), 'utf8')
  const [begin, end] = ['<!-- endpoints: npm run contract -->', '<!-- end of endpoints -->']
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${reference} has no place for its table: ${begin} … ${end}`)
  const rows = all
    .filter(isForClients)
    .map(
      ([name, { method, path, summary }]) =>
        `| \`${name}\` | \`${method} ${path}\` | ${summary.replaceAll('|', '\\|')} |`,
    )
    .join('\n')
  return `${before}${begin}\n\n| name | request | |\n| --- | --- | --- |\n${rows}\n\n${end}${after}`
}

/** As the formatter of the repository writes it. @param {string} text */
function format(text) {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'format', '--stdin-file-path=generated.ts']
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The generated text is not valid:\n${stderr}`)
  return stdout
}
