import { arch, cpus, release, totalmem } from 'node:os'

export function describeMachine() {
  const processors = cpus()
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${release()} ${arch()}`,
    node: process.version,
  }
}
