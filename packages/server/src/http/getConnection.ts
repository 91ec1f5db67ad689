import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

export const getConnectionEndpoint = defineEndpoint('getConnection', {
  async handle({ context: { clock }, caller, sent }) {
    const said = (name: string) => {
      const value = sent.headers[name]
      return typeof value === 'string' ? value.slice(0, 200) : undefined
    }
    const forwardedFor = said('x-forwarded-for')
    const forwardedProto = said('x-forwarded-proto')
    const forwardedHost = said('x-forwarded-host')
    return {
      address: caller.ipAddress,
      isForwarded: caller.isForwarded ?? false,
      host: said('host') ?? '',
      ...(forwardedFor !== undefined && { forwardedFor }),
      ...(forwardedProto !== undefined && { forwardedProto }),
      ...(forwardedHost !== undefined && { forwardedHost }),
      time: clock.now().toISOString(),
    }
  },
})
