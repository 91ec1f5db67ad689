import { basename } from 'node:path'
import type { Context } from '../context/Context.ts'
import { createRegistry } from '../context/createRegistry.ts'
import type { Registry } from '../context/Registry.ts'
import { CloudError } from './CloudError.ts'
import { createHookHandler } from './createHookHandler.ts'
import { createImporter } from './createImporter.ts'
import { createRegisteredFunction } from './createRegisteredFunction.ts'
import { createRegisteredJob } from './createRegisteredJob.ts'
import { type HookDefinition, mark } from './Definition.ts'
import type { Processes } from './isolated/createProcesses.ts'
import { listCloudFiles } from './listCloudFiles.ts'
import { listDefinitions, type NamedDefinition } from './listDefinitions.ts'
import { loadParseFiles } from './parse/loadParseFiles.ts'
import { sortFiles } from './parse/sortFiles.ts'

/** Loads every file of the cloud folder into a registry of its own: all of them, or none where one is broken. */
export async function loadCloud(context: Context, workers: Processes, path: string): Promise<Registry> {
  const registry = createRegistry()
  const importFile = createImporter()
  const { own, older } = await sortFiles(await listCloudFiles(path))
  for (const file of own) {
    try {
      for (const found of listDefinitions(basename(file), await importFile(file))) {
        register(context, workers, registry, file, found)
      }
    } catch (cause) {
      throw new CloudError(file, cause)
    }
  }
  await loadParseFiles(context, registry, older)
  return registry
}

function register(
  context: Context,
  workers: Processes,
  registry: Registry,
  path: string,
  { name, exported, definition }: NamedDefinition,
): void {
  switch (definition[mark]) {
    case 'function':
      refuseTaken(registry.functions, 'function', name)
      registry.functions.set(name, createRegisteredFunction(context, workers, definition, { name, path, exported }))
      return
    case 'job':
      refuseTaken(registry.jobs, 'job', name)
      registry.jobs.set(name, createRegisteredJob(context, definition))
      return
    case 'hook': {
      const key = `${definition.on} ${classOf(definition)}`
      registry.hooks.set(key, [...(registry.hooks.get(key) ?? []), createHookHandler(context, definition)])
    }
  }
}

/** What is about people is about their class; the rest must say whose objects it means. */
function classOf({ on, className }: HookDefinition): string {
  if (className !== undefined) return className
  if (on === 'beforeConnect') return '@Connect'
  if (/(Save|Delete|Find|Subscribe|Event)$/.test(on)) throw new Error(`the hook ${on} needs a className.`)
  return '_User'
}

function refuseTaken(known: Map<string, unknown>, kind: string, name: string): void {
  if (known.has(name)) throw new Error(`there is another ${kind} called ${name}. Give one of them another name.`)
}
