// Which files of a mail were not kept, and why: for agents and for customers.

export const en = {
  mailNoText: '(no text)',
  mailTextWithin: (file: string) => `(no text: what was written is in ${file}, which the desk cannot read)`,
  notAccepted: (names: string, more: number) => `Not accepted: ${names}${more > 0 ? ` and ${more} more` : ''}`,
  refusedTooMany: 'too many files',
  refusedEmpty: 'empty',
  refusedTooLarge: (of: string) => `larger than ${of} MB`,
  refusedType: (of: string) => `.${of} files are refused`,
  refusedProgram: (of: string) => `a program; .${of} files are refused`,
  refusedFull: 'no space is left for files',
};

export const nl: typeof en = {
  mailNoText: '(geen tekst)',
  mailTextWithin: (file) => `(geen tekst: wat er geschreven is, staat in ${file}, en dat kan de desk niet lezen)`,
  notAccepted: (names, more) => `Niet geaccepteerd: ${names}${more > 0 ? ` en nog ${more}` : ''}`,
  refusedTooMany: 'te veel bestanden',
  refusedEmpty: 'leeg',
  refusedTooLarge: (of) => `groter dan ${of} MB`,
  refusedType: (of) => `.${of}-bestanden worden geweigerd`,
  refusedProgram: (of) => `een programma; .${of}-bestanden worden geweigerd`,
  refusedFull: 'er is geen ruimte meer voor bestanden',
};

export const de: typeof en = {
  mailNoText: '(kein Text)',
  mailTextWithin: (file) => `(kein Text: Was geschrieben wurde, steht in ${file}, und das kann der Desk nicht lesen)`,
  notAccepted: (names, more) => `Nicht angenommen: ${names}${more > 0 ? ` und ${more} weitere` : ''}`,
  refusedTooMany: 'zu viele Dateien',
  refusedEmpty: 'leer',
  refusedTooLarge: (of) => `größer als ${of} MB`,
  refusedType: (of) => `.${of}-Dateien werden abgelehnt`,
  refusedProgram: (of) => `ein Programm; .${of}-Dateien werden abgelehnt`,
  refusedFull: 'es ist kein Platz mehr für Dateien',
};

export const fr: typeof en = {
  mailNoText: '(sans texte)',
  mailTextWithin: (file) => `(sans texte : ce qui a été écrit est dans ${file}, que le desk ne peut pas lire)`,
  notAccepted: (names, more) => `Non accepté : ${names}${more > 0 ? ` et ${more} de plus` : ''}`,
  refusedTooMany: 'trop de fichiers',
  refusedEmpty: 'vide',
  refusedTooLarge: (of) => `plus de ${of} Mo`,
  refusedType: (of) => `les fichiers .${of} sont refusés`,
  refusedProgram: (of) => `un programme ; les fichiers .${of} sont refusés`,
  refusedFull: 'il n’y a plus de place pour des fichiers',
};

export const es: typeof en = {
  mailNoText: '(sin texto)',
  mailTextWithin: (file) => `(sin texto: lo escrito está en ${file}, que el desk no puede leer)`,
  notAccepted: (names, more) => `No aceptado: ${names}${more > 0 ? ` y ${more} más` : ''}`,
  refusedTooMany: 'demasiados archivos',
  refusedEmpty: 'vacío',
  refusedTooLarge: (of) => `de más de ${of} MB`,
  refusedType: (of) => `no se aceptan archivos .${of}`,
  refusedProgram: (of) => `un programa; no se aceptan archivos .${of}`,
  refusedFull: 'no queda espacio para archivos',
};
