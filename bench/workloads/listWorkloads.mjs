import { readdir } from 'node:fs/promises'

/** Every file beside this one that exports `workload`, in the order of its `order`. */
export async function listWorkloads() {
  const files = await readdir(new URL('.', import.meta.url))
  const modules = await Promise.all(
    files.filter((file) => file.endsWith('.mjs') && file !== 'listWorkloads.mjs').map((file) => import(`./${file}`)),
  )
  /** @type {import('../types.d.ts').Workload[]} */
  const workloads = modules.map((module) => module.workload)
  return workloads.sort((left, right) => left.order - right.order)
}
