// The code of an invitation, as people type it. Which codes there are, the server knows.

const LENGTH = 10;

/** Reads a code in any case, with blanks and dashes; a whole link will do as well. Null if it cannot be one. */
export function readCode(typed: string): string | null {
  const [, linked] = /\/join\/([^/?#]*)/.exec(typed) ?? [];
  const code = (linked ?? typed).replace(/[\s\p{Dash}]/gu, '').toUpperCase();
  return code.length === LENGTH && /^[A-Z0-9]+$/.test(code) ? code : null;
}
