"""test_time_ranges.py ROOT - does tools/time_ranges.py weigh kinds as it says, choose cells, and say what is inside?"""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / 'tools'))
import measured_times  # noqa: E402
import time_ranges as tool  # noqa: E402


def launch(kind, ratio, modelled=1000, limiter='L2', source='gallery_small', function='f', run=('r',)):
    return measured_times.Launch(source, 'Hopper', kind, run, function, limiter, ratio * modelled, modelled)


def kinds_of(ratios):
    """A kind for each, of one launch."""
    return tool.by_kind(launch('k%d' % i, ratio) for i, ratio in enumerate(ratios))


class Ranges(unittest.TestCase):
    def test_quantiles_are_of_the_middle(self):
        low, high = tool.quantiles(kinds_of([0.5 + 0.1 * i for i in range(11)]), 0.8)
        self.assertAlmostEqual(low, 0.6)
        self.assertAlmostEqual(high, 1.4)

    def test_a_range_holds_the_modelled_time(self):
        self.assertEqual(tool.quantiles(kinds_of([1.2, 1.3, 1.4]), 0.8)[0], 1)
        self.assertEqual(tool.quantiles(kinds_of([0.5, 0.6, 0.7]), 0.8)[1], 1)

    def test_a_kind_of_many_launches_weighs_as_much_as_one_of_one(self):
        launches = [launch('k%d' % i, 1 + 0.01 * i) for i in range(20)] + [launch('many', 3)] * 500
        self.assertLess(tool.quantiles(tool.by_kind(launches), 0.8)[1], 1.2)

    def test_what_is_left_out_does_not_make_its_own_range(self):
        kinds = kinds_of([1] * 9 + [5])
        self.assertEqual(tool.quantiles(kinds, 0.99)[1], 5)
        self.assertEqual(tool.quantiles(kinds, 0.99, 'k9')[1], 1)
        self.assertAlmostEqual(tool.coverage(kinds, 0.99).kinds, 0.9)

    def test_a_range_goes_out_until_the_programs_are_inside(self):
        patterns = [launch('p%d' % i, 1) for i in range(90)]
        programs = [launch('a%d' % i, 1 + 0.1 * i, source='applications_fit') for i in range(10)]
        covered = tool.Range(tool.by_kind(patterns + programs))
        self.assertGreater(covered.share, 0.8)
        self.assertGreaterEqual(tool.coverage(covered.kinds, covered.share).programs, 0.8)


class Cells(unittest.TestCase):
    def test_few_launches_or_few_kinds_have_no_cell_of_their_own(self):
        many = [launch('k%d' % (i % 10), 1, limiter='L2') for i in range(30)]
        few_launches = [launch('k%d' % i, 2, limiter='DRAM bandwidth') for i in range(19)]
        few_kinds = [launch('k%d' % (i % 7), 2, limiter='L1') for i in range(30)]
        cells = tool.cells_of(many + few_launches + few_kinds, ['L2', 'DRAM bandwidth', 'L1'])
        self.assertEqual(tool.first_cell(cells, many[0]), tool.Cell('Hopper', 'L2', 'SHORT'))
        others = tool.first_cell(cells, few_kinds[0])
        self.assertEqual(others, tool.Cell('Hopper', tool.OTHERS, 'SHORT'))
        self.assertEqual(tool.first_cell(cells, few_launches[0]), others)
        self.assertEqual(tool.size_of(cells[others].kinds), (49, 19))

    def test_others_that_are_too_few_take_the_range_of_all(self):
        many = [launch('k%d' % (i % 10), 1) for i in range(30)]
        cells = tool.cells_of(many + [launch('k1', 2, limiter='L1')], ['L2', 'L1'])
        any_limiter = tool.Cell('Hopper', None, 'SHORT')
        self.assertEqual(tool.first_cell(cells, launch('k1', 2, limiter='L1')), any_limiter)
        self.assertEqual(tool.size_of(cells[any_limiter].kinds), (31, 10))

    def test_length_goes_by_the_modelled_time(self):
        self.assertEqual(tool.length_of(launch('k', 2, 9999)), 'SHORT')
        self.assertEqual(tool.length_of(launch('k', 0.5, 10000)), 'LONG')


class Orders(unittest.TestCase):
    def test_pairs_are_of_one_run_and_kind(self):
        pairs = list(tool.related([launch('k', 1, function='f'), launch('k', 1, function='g'), launch('l', 1, function='h'),
                                   launch('k', 1, function='i', run=('s',)), launch('k', 1, function='f')]))
        self.assertEqual(len(pairs), 2)

    def test_an_order_is_right_when_both_times_agree(self):
        orders = tool.orders_of([launch('k', 1, 1000, function='f'), launch('k', 1, 1300, function='g'),
                                 launch('k', 0.5, 1600, function='h')])
        self.assertEqual([len(kinds.get('k', [])) for kinds in orders], [0, 0, 2, 1, 0, 0])
        self.assertEqual(orders[2]['k'], [True, False])
        self.assertEqual(orders[3]['k'], [False])


if __name__ == '__main__':
    unittest.main()
