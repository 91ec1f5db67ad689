// Loaded into every competitor before its own code.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

// The channel closes however the benchmark ended, so that no competitor is left behind.
process.on('disconnect', () => process.exit(1))

/** @type {Session | undefined} */
let session

process.on('message', async (/** @type {{ profile?: string, file?: string }} */ { profile, file }) => {
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
