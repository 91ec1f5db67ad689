import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder with cloud code as it is written for parse-server, or the same for the older client. */
export async function writeOlderCloud(client: 'Parse' | 'Moralis'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  for (const name of ['main.js', 'hooks.js']) {
    // Kept as texts: they are no modules of this package, and know names that it does not.
    const text = await readFile(new URL(`olderCloud/${name}.txt`, import.meta.url), 'utf8')
    await writeFile(join(folder, name), text.replaceAll('Parse.', `${client}.`))
  }
  return folder
}
