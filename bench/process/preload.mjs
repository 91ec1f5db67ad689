// Loaded into every competitor before its own code.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { GCProfiler, getHeapStatistics } from 'node:v8'

// The channel closes however the benchmark ended, so that no competitor is left behind.
process.on('disconnect', () => process.exit(1))

/** @type {Session | undefined} */
let session

/** @type {{ profiler: GCProfiler, used: number } | undefined} */
let heap

/**
 * Bytes that were allocated on the heap: what it grew by between two garbage collections, summed up.
 *
 * @param {{ profiler: GCProfiler, used: number }} begun
 */
function sumAllocations({ profiler, used }) {
  let last = used
  let bytes = 0
  for (const { beforeGC, afterGC } of profiler.stop().statistics) {
    bytes += beforeGC.heapStatistics.usedHeapSize - last
    last = afterGC.heapStatistics.usedHeapSize
  }
  return bytes + getHeapStatistics().used_heap_size - last
}

process.on('message', async (/** @type {{ profile?: string, heap?: string, file?: string }} */ message) => {
  const { profile, file } = message
  if (message.heap === 'start') {
    heap = { profiler: new GCProfiler(), used: getHeapStatistics().used_heap_size }
    heap.profiler.start()
    process.send?.({ heap: 'started' })
  }
  if (message.heap === 'stop' && heap) process.send?.({ heap: 'counted', bytes: sumAllocations(heap) })
  if (profile === 'start') {
    session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 100 })
    await session.post('Profiler.start')
    process.send?.({ profile: 'started' })
  }
  if (profile === 'stop' && session && file) {
    const result = await session.post('Profiler.stop')
    writeFileSync(file, JSON.stringify(result.profile))
    session.disconnect()
    process.send?.({ profile: 'written' })
  }
})

// A competitor must still exit once its server has closed.
process.channel?.unref()
