const names = ['session', 'installationId', 'wayIn'] as const

/** The name under which something of an application is stored. */
export function storedKey(appId: string, name: (typeof names)[number]): string {
  return `Countersign/${appId}/${name}`
}

export function storedKeys(appId: string): readonly string[] {
  return names.map((name) => storedKey(appId, name))
}
