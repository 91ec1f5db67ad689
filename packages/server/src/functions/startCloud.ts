import { watch } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../context/Context.ts'
import type { Registry } from '../context/Registry.ts'
import { createProcesses, type Processes } from './isolated/startProcess.ts'
import { loadCloud } from './loadCloud.ts'

/** Editors write a file in several steps. */
const calm = 50

/**
 * Loads the application's code; the server does not start if that fails. In development it is loaded again after each
 * change, and on failure the last good code stays. The returned function ends it.
 */
export async function startCloud(context: Context): Promise<() => Promise<void>> {
  const { config, log, registry, background } = context
  const path = resolve(config.cloud)
  let loaded: Registry | undefined
  let processes: Processes | undefined

  const load = async () => {
    const nextProcesses = createProcesses(context)
    const next = await loadCloud(context, nextProcesses, path)
    exchange(registry, loaded, next)
    // Calls under way keep their processes until they end.
    await processes?.close()
    loaded = next
    processes = nextProcesses
  }
  await load()

  const loadAgain = async () => {
    try {
      await load()
      log.info({ cloud: path }, 'cloud code reloaded')
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'cloud code has an error; the last working version keeps running')
    }
  }
  let timer: NodeJS.Timeout | undefined
  // One after another, so that what was written last is what is loaded last.
  let turn = Promise.resolve()
  const reload = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      turn = turn.then(loadAgain)
      background.run('reload of cloud code', () => turn)
    }, calm)
  }
  const stopWatching = config.production ? undefined : watchFolder(path, reload)
  return async () => {
    stopWatching?.()
    clearTimeout(timer)
    await processes?.close()
  }
}

/** Puts new code in the place of the old in one go; what others have put into the registry stays. */
function exchange(registry: Registry, before: Registry | undefined, next: Registry): void {
  for (const kind of ['functions', 'jobs', 'states'] as const) {
    for (const name of before?.[kind].keys() ?? []) registry[kind].delete(name)
  }
  for (const [name, item] of next.functions) registry.functions.set(name, item)
  for (const [name, item] of next.jobs) registry.jobs.set(name, item)
  for (const [name, item] of next.states) registry.states.set(name, item)
  for (const key of new Set([...(before?.hooks.keys() ?? []), ...next.hooks.keys()])) {
    const old = before?.hooks.get(key) ?? []
    const others = (registry.hooks.get(key) ?? []).filter((hook) => !old.includes(hook))
    const hooks = [...others, ...(next.hooks.get(key) ?? [])]
    if (hooks.length > 0) registry.hooks.set(key, hooks)
    else registry.hooks.delete(key)
  }
}

/** A folder that is made later is found at the next start. */
function watchFolder(path: string, changed: () => void): (() => void) | undefined {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, changed)
    watcher.on('error', () => {})
    return () => watcher.close()
  } catch {
    return undefined
  }
}
