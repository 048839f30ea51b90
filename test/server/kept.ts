// A child that ends as its argument says, or when it is told to. Run by a test.

const [end = ''] = process.argv.slice(2);
process.on('SIGTERM', () => process.exit(0));
process.stdout.write('here\n');
if (end === 'dies') process.kill(process.pid, 'SIGBUS');
else if (end !== 'stays') process.exit(Number(end));
setInterval(() => undefined, 1000);
