const longest = 128

/** A file name that the server accepts: many names contain forbidden characters. */
export function fileName(name: string): string {
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 ? clean(name.slice(dot)) : ''
  const stem = clean(dot > 0 ? name.slice(0, dot) : name).replace(/^[^A-Za-z0-9_]+/, '')
  const cut = stem.slice(0, longest - ending.length).replace(/[. ]+$/, '')
  return `${cut === '' ? 'file' : cut}${ending.replace(/[. ]+$/, '')}`.slice(0, longest)
}

function clean(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9@. ~_-]/g, '_')
}
