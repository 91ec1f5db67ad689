// Types once an application has registered its functions. Compiling is the test.

import { runFunction } from '../src/core.ts'
import { type Client, useFunction, useRunFunction } from '../src/index.ts'

declare module '../src/index.ts' {
  interface Register {
    functions: {
      averageStars: { input: { movie: string; since?: Date }; output: { average: number } }
      now: { input: Record<never, never>; output: Date }
    }
  }
}

declare const client: Client

export async function runs(): Promise<void> {
  const stars = await runFunction(client, 'averageStars', { movie: 'The Matrix' })
  stars.average satisfies number
  const time = await runFunction(client, 'now')
  time.getTime() satisfies number
  await runFunction(client, 'now', {}, { signal: new AbortController().signal })
  // @ts-expect-error it rejects where it fails, and takes no callbacks
  await runFunction(client, 'averageStars', { movie: 'x' }, { onSuccess: () => undefined })
  // @ts-expect-error its input is needed
  await runFunction(client, 'averageStars')
  // @ts-expect-error no such function
  await runFunction(client, 'averageStar', { movie: 'x' })
  // @ts-expect-error a field of another type
  await runFunction(client, 'averageStars', { movie: 1 })
}

export function useAll(): void {
  const stars = useFunction('averageStars', { movie: 'The Matrix' }, { enabled: false })
  if (stars.status === 'success') stars.data.average satisfies number
  // @ts-expect-error its input is needed
  useFunction('averageStars')
  useFunction('now')
  const { run } = useRunFunction('averageStars')
  void run({ movie: 'x' }, { onSuccess: ({ average }) => average satisfies number })
  // @ts-expect-error its input is needed
  void run()
  void useRunFunction('now').run()
}
