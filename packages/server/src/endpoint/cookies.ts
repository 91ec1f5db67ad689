import type { Context } from '../context/Context.ts'

export function findCookie(cookie: string | undefined, name: string): string | undefined {
  for (const part of cookie?.split('; ') ?? []) {
    if (part.startsWith(`${name}=`)) return decode(part.slice(name.length + 1))
  }
  return undefined
}

/** A cookie that another program of the host planted may hold anything. */
function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** A browser on which the second factor is remembered holds this. It opens nothing alone. */
export function writeDeviceCookie(context: Context, device: string): string {
  return writeCookie(context, deviceName(context), device, context.config.secondFactor.rememberDays * 24 * 3600)
}

/** Session of an operator who impersonates a user, to return to. Read only by `endImpersonation`. */
export function writeOperatorCookie(context: Context, token: string): string {
  return writeCookie(context, operatorName(context), encodeURIComponent(token), 3600)
}

export function clearOperatorCookie(context: Context): string {
  return writeCookie(context, operatorName(context), '', 0)
}

export function readOperatorCookie(context: Context, cookie: string | undefined): string | undefined {
  return findCookie(cookie, operatorName(context))
}

function operatorName(context: Context): string {
  return `${cookieName(context)}-operator`
}

export function deviceName(context: Context): string {
  return `${cookieName(context)}-device`
}

/** The `__Host-` prefix keeps other hosts of the site from planting a session; browsers take it over https alone. */
export function cookieName({ publicUrl }: Context): string {
  return publicUrl.startsWith('https:') ? '__Host-countersign' : 'countersign'
}

export function writeCookie({ publicUrl }: Context, name: string, value: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
