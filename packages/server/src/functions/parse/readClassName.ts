/** The class that a hook is for: its name, or a class of the client, which carries it. */
export function readClassName(hook: string, type: unknown): string {
  const { className, name } = Object(type) as { className?: unknown; name?: unknown }
  const found = typeof type === 'string' ? type : (className ?? name)
  if (typeof found !== 'string' || found === '') {
    throw new Error(`Cloud.${hook} needs a class: its name, or one such as Parse.User.`)
  }
  // Better not to start than to start without a check that somebody relies on.
  if (found === 'ParseFile' || found === 'ParseConfig' || found.startsWith('@')) {
    throw new Error(`Cloud.${hook} is offered for classes, and not for ${found.replace(/^(Parse|@)/, '')}.`)
  }
  if (found === '_Session') throw new Error('Only the afterLogout trigger is allowed for the _Session class.')
  return found
}
