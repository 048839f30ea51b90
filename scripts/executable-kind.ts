// The system and processor that an executable is for, from its first bytes.

const elfMachines: Record<number, string> = { 62: 'x64', 183: 'arm64' };
const machOMachines: Record<number, string> = { 16777223: 'x64', 16777228: 'arm64' };
const peMachines: Record<number, string> = { 34404: 'x64', 43620: 'arm64' };

/** A name such as `linux-x64-musl`, or null if it is unknown. */
export function executableKind(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x7f454c46) return elfKind(bytes, view);
    if (view.getUint32(0, true) === 0xfeedfacf) return named('darwin', machOMachines[view.getUint32(4, true)]);
    if (view.getUint16(0) === 0x4d5a) {
      const header = view.getUint32(0x3c, true);
      return view.getUint32(header) === 0x50450000
        ? named('windows', peMachines[view.getUint16(header + 4, true)])
        : null;
    }
    return null;
  } catch (error) {
    // The file ends too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function named(system: string, machine: string | undefined): string | null {
  return machine === undefined ? null : `${system}-${machine}`;
}

function elfKind(bytes: Uint8Array, view: DataView): string | null {
  const is64Bit = view.getUint8(4) === 2;
  const isLittleEndian = view.getUint8(5) === 1;
  if (!is64Bit || !isLittleEndian) return null;
  const machine = elfMachines[view.getUint16(18, true)];
  const tableAt = Number(view.getBigUint64(32, true));
  const entrySize = view.getUint16(54, true);
  const entries = view.getUint16(56, true);
  const interpreterEntry = 3;
  for (let at = tableAt; at < tableAt + entries * entrySize; at += entrySize) {
    if (view.getUint32(at, true) !== interpreterEntry) continue;
    const start = Number(view.getBigUint64(at + 8, true));
    const length = Number(view.getBigUint64(at + 32, true));
    const loader = new TextDecoder().decode(bytes.subarray(start, start + length));
    if (loader.includes('ld-musl-')) return machine === undefined ? null : `linux-${machine}-musl`;
    return loader.includes('ld-linux') ? named('linux', machine) : null;
  }
  return null;
}
