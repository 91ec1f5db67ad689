import { randomInt } from 'node:crypto'

const qualities =
  'amber,bold,brisk,calm,clear,cosy,crisp,eager,early,fair,fleet,gentle,glad,golden,grand,green,happy,hardy,jolly,keen,kind,lively,lucky,mellow,merry,mild,neat,noble,patient,plain,proud,quick,quiet,rapid,ready,royal,sage,silver,sleek,smart,snug,solid,steady,still,sunny,swift,tidy,true,vivid,warm,wise,witty'.split(
    ',',
  )
const animals =
  'badger,beaver,bison,bittern,crane,curlew,dipper,dolphin,dormouse,eagle,egret,falcon,ferret,finch,fox,gannet,goshawk,hare,heron,ibex,jackdaw,kestrel,lark,lemur,linnet,lynx,marmot,marten,merlin,moose,newt,nuthatch,orca,osprey,otter,owl,petrel,pika,plover,puffin,raven,robin,seal,shrike,siskin,stoat,stork,swallow,tern,thrush,vole,walrus,weasel,wren'.split(
    ',',
  )

/** A name that people can read and remember, for a user who came without one: `quiet-otter-48213`. */
export function newUsername(): string {
  return `${pick(qualities)}-${pick(animals)}-${randomInt(10_000, 1_000_000)}`
}

function pick(words: string[]): string {
  return words[randomInt(words.length)] as string
}
