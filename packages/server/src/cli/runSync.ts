import { readFile } from 'node:fs/promises'
import type { StateRecord, SyncRecord, WireFields } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { parseJson } from '../encoding/parseJson.ts'
import { openRequests } from './openSchemas.ts'
import type { Arguments } from './readArguments.ts'

/** `countersign sync list|add|remove|replay`, through the server that follows the chains. */
export async function runSync({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [action, first, second, ...more] = words
  const counts: { [name: string]: number } = { list: 0, add: 1, remove: 2, replay: 2 }
  const given = [first, second].filter((word) => word !== undefined).length
  if (action === undefined || counts[action] !== given || more.length > 0) {
    throw new ConfigError(
      'Usage: countersign sync list, add FILE, remove CHAIN NAME or replay CHAIN NAME. See countersign help sync.',
    )
  }
  const definitions = action === 'add' ? await readDefinitions(first ?? '') : []
  const ask = await openRequests(await readConfig({ flags, configFile }), options.server)
  const path = `/syncs/${encodeURIComponent(first ?? '')}/${encodeURIComponent(second ?? '')}`
  const say = (text: string): void => void process.stdout.write(`${text}\n`)
  if (action === 'list') {
    const { results } = await ask<{ results: SyncRecord[] }>('GET', '/syncs')
    if (options.json) return say(JSON.stringify(results, null, 2))
    say(results.map(describe).join('\n') || 'No event syncs.')
    const states = (await ask<{ results: StateRecord[] }>('GET', '/states')).results
    if (states.length > 0) say(`\nComputed states:\n${states.map(describeState).join('\n')}`)
  } else if (action === 'add') {
    for (const definition of definitions) say(describe(await ask<SyncRecord>('POST', '/syncs', definition)))
  } else if (action === 'remove') {
    await ask('DELETE', path)
    say(`${second} is no longer synced. Existing rows are kept.`)
  } else say(describe(await ask<SyncRecord>('POST', `${path}/replay`, {})))
}

async function readDefinitions(file: string): Promise<WireFields[]> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new ConfigError(`The file ${file} cannot be read.`, { cause })
  })
  try {
    return [parseJson(text)].flat() as WireFields[]
  } catch (cause) {
    throw new ConfigError(`The file ${file} is not valid JSON.`, { cause })
  }
}

function describeState({ chain, name, status, block, error }: StateRecord): string {
  return `${chain} ${name}  ${status === 'SYNCED' ? 'up to date' : `at block ${block}`}${error ? `: ${error}` : ''}`
}

function describe({ chain, name, status, blocksLeft, origin, error }: SyncRecord): string {
  const left = status === 'SYNCED' ? 'up to date' : `${blocksLeft} blocks left`
  return `${chain} ${name}  ${left}${origin === 'config' ? ', in the configuration' : ''}${error ? `: ${error}` : ''}`
}
