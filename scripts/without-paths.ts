// Where packages lay on the machine that built a module: the bundler writes it down, and nothing reads it.

/** @param folder where the project lay: only texts that begin with it, as a folder such as `/src` is a part of other texts */
export function withoutPaths(code: string, folder: string): string {
  return code.replaceAll(`"${folder}/`, '"./');
}
