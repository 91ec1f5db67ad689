import { arch, cpus, loadavg, release, totalmem } from 'node:os'

export function describeMachine() {
  const processors = cpus()
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${release()} ${arch()}`,
    node: process.version,
    /** Of the last minute; well below one where the machine is quiet. */
    loadBefore: Number(loadavg()[0]?.toFixed(2)),
  }
}
