import type { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'

/** A function of the older clients. */
export const defineCompatFunction = <
  const Name extends string,
  Input extends z.ZodObject | undefined,
  Output extends z.ZodType,
  const Rest extends Omit<Partial<EndpointContract>, 'input' | 'output' | 'summary'> = Record<never, never>,
>(
  name: Name,
  { input, ...parts }: { summary: string; input?: Input; output: Output } & Rest,
) => ({
  method: 'POST' as const,
  path: `/functions/${name}` as const,
  // A session that has ended must not keep a client from starting.
  session: 'tolerated' as const,
  ...parts,
  ...((input && { input }) as Input extends z.ZodObject ? { input: Input } : Record<never, never>),
})
